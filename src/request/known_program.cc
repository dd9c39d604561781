#include "request/known_program.h"

#include <algorithm>
#include <array>
#include <span>

namespace bawn {
namespace {

using Name = std::string_view;

constexpr auto kNamesOrText = std::to_array<Name>({
    "[",            // compares texts
    "ack",          // a pattern
    "ag",           // a pattern
    "apropos",      // a topic
    "banner",       // prose
    "basename",     // a path
    "busybox",      // an applet, itself among them
    "chroot",       // runs a program
    "command",      // runs a program
    "cowsay",       // prose
    "doas",         // runs a program
    "echo",         // prose
    "egrep",        // a pattern
    "env",          // runs a program
    "espeak",       // prose
    "exec",         // runs a program
    "expr",         // compares texts
    "fgrep",        // a pattern
    "figlet",       // prose
    "file",         // inspects a program
    "gdb",          // runs a program
    "grep",         // a pattern
    "help",         // a topic
    "info",         // a topic
    "ionice",       // runs a program
    "killall",      // a program's name
    "ldd",          // inspects a program
    "locate",       // a pattern
    "logger",       // prose
    "ltrace",       // runs a program
    "man",          // a topic
    "nice",         // runs a program
    "nm",           // inspects a program
    "nohup",        // runs a program
    "notify-send",  // prose
    "npx",          // runs a program
    "objdump",      // inspects a program
    "parallel",     // runs command lines
    "pgrep",        // a program's name
    "pidof",        // a program's name
    "pkill",        // a program's name
    "printf",       // prose
    "readelf",      // inspects a program
    "rg",           // a pattern
    "say",          // prose
    "setsid",       // runs a program
    "sha256sum",    // inspects a program
    "stat",         // inspects a program
    "stdbuf",       // runs a program
    "strace",       // runs a program
    "strings",      // inspects a program
    "su",           // a user
    "sudo",         // runs a program
    "test",         // compares texts
    "time",         // runs a program
    "timeout",      // runs a program
    "tldr",         // a topic
    "toilet",       // prose
    "type",         // a program's name
    "unshare",      // runs a program
    "valgrind",     // runs a program
    "wall",         // prose
    "watch",        // runs a command line
    "whatis",       // a topic
    "whereis",      // a program's name
    "which",        // a program's name
    "xargs",        // runs a program
    "yes",          // prose
});

constexpr auto kOwnCwdOption =
    std::to_array<Name>({"bun", "c8", "concurrently", "nyc", "pm2", "yarn"});

// Not yarn and pnpm: they run a package's scripts by name, and such a name may contain blanks. Not
// dotnet: it also takes a file.
constexpr auto kSubcommands = std::to_array<Name>({
    "apt",
    "apt-get",
    "brew",
    "cargo",
    "docker",

    "gh",
    "git",
    "go",
    "kubectl",
    "npm",
    "pip",
    "pip3",
    "podman",
    "rustup",
    "svn",
    "systemctl",
    "terraform",
});

constexpr auto kPlainWords = std::to_array<Name>({
    "bash",  "cat",    "cmake", "cp",    "ctest",  "diff",   "du",      "find", "g++",
    "gcc",   "gradle", "head",  "ls",    "make",   "meson",  "mkdir",   "mv",   "mvn",
    "ninja", "node",   "ps",    "pwd",   "pytest", "python", "python3", "rm",   "rmdir",
    "sh",    "sort",   "tail",  "touch", "tree",   "tsc",    "wc",
});

// Programs that follow a pipe or `&&`, besides those above.
constexpr auto kFollowers = std::to_array<Name>({
    "awk",
    "cd",
    "chmod",
    "curl",
    "cut",
    "echo",
    "grep",
    "jq",
    "less",
    "sed",
    "sudo",
    "tee",
    "tr",
    "uniq",
    "wget",
    "xargs",
});

constexpr bool is_sorted(std::span<const Name> table) {
  return std::is_sorted(table.begin(), table.end());
}

bool holds(std::span<const Name> table, Name name) {
  return std::binary_search(table.begin(), table.end(), name);
}

static_assert(is_sorted(kNamesOrText) && is_sorted(kOwnCwdOption) && is_sorted(kSubcommands));
static_assert(is_sorted(kPlainWords) && is_sorted(kFollowers));

}  // namespace

std::string_view program_name(std::string_view command) {
  return command.substr(command.rfind('/') + 1);  // npos + 1 == 0
}

bool takes_names_or_text(std::string_view program) { return holds(kNamesOrText, program); }

bool has_own_cwd_option(std::string_view program) { return holds(kOwnCwdOption, program); }

bool has_subcommands(std::string_view program) { return holds(kSubcommands, program); }

bool takes_plain_words(std::string_view program) {
  return holds(kPlainWords, program) || holds(kSubcommands, program);
}

bool is_common_tool(std::string_view program) {
  return takes_plain_words(program) || holds(kFollowers, program);
}

}  // namespace bawn
