#include "front/cli/help.h"

#include "base/text.h"
#include "policy/text/option.h"

namespace bawn::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kHelpColumn = 28;

constexpr std::string_view kOverview =
    R"(bawn runs a command that is not trusted: read-only system, one writable
workspace, no secrets, no network unless granted, limits that hold for
everything it starts, and one outcome that says what was enforced.

  bawn run     [options] -- CMD [ARG...]
      run it here; stdin, stdout and stderr are yours
  bawn exec    [options]
      one request as JSON on stdin, one outcome as JSON on stdout
  bawn check   [options] -- CMD [ARG...]
      say whether it would run, and if not, every reason
  bawn explain [options] -- CMD [ARG...]
      print the plan: every mount, limit, filter and variable, and why
  bawn policy  [show|lint|schema]
      list the presets, show or check a policy, print the schema
  bawn bench   spawn [options]
      measure what a run costs here, beside other launchers
  bawn doctor  [--json]
      say what this host can enforce, what it refuses, and what fixes it
  bawn --version | --help | SUBCOMMAND --help

Examples
  bawn run -- ls -l
  bawn run --timeout 5s --output 1M -- make test
  bawn check --policy agent --allow-exec git -- git log ../other
  echo '{"command":"git","args":["status"]}' |
    bawn exec --policy agent --allow-exec git

Exit codes of 'run': the command's own; 128+N if signal N ended it; 124 the
wall-time limit; 125 bawn itself failed and nothing ran, or
the outcome of what ran could not be written; 126 denied, or not executable;
127 not found.
)";

struct HelpText {
  Subcommand subcommand;
  std::string_view name;
  std::string_view text;
};

constexpr HelpText kTexts[] = {
    {Subcommand::run, "run", R"(bawn run [options] -- CMD [ARG...]

Runs CMD in the current directory (or --workspace) under preset 'workspace',
unless --policy, --mode, BAWN_POLICY or BAWN_MODE names another policy.
BAWN_TIMEOUT sets the wall time. A flag wins over a variable. A policy file may
lie in the workspace: tier c (namespaces) keeps the command from changing it.

Examples
  bawn run -- python3 build.py
  bawn run --policy basic -- cat notes.txt
  bawn run --json -- sh -c 'echo hello; exit 3'
  bawn run --memory 1G --pids 100 --cpus 1.5 -- make test

With --json the outcome is the only output, even if nothing ran because the
policy or an option after --json is wrong.
)"},
    {Subcommand::exec, "exec", R"(bawn exec [options] < request.json > outcome.json

Carries out one request, such as an agent's tool call. A policy must be named.
Exits 0 if an outcome was written, even for a denial or an unreadable request,
and 125 if none was.

Example
  echo '{"command":"git","args":["status"]}' |
    bawn exec --policy agent --allow-exec git
)"},
    {Subcommand::check, "check", R"(bawn check [options] -- CMD [ARG...]
bawn check [options] --request FILE

Executes nothing. Prints every violation and what would allow it. Exits 0 if the
command would run, and with the code of 'bawn run' if not: 126 if it would be
denied, 125 if it would fail.

Example
  bawn check --policy agent --allow-exec curl -- curl https://example.com
)"},
    {Subcommand::explain, "explain", R"(bawn explain [options] -- CMD [ARG...]
bawn explain [options] --request FILE

Executes nothing. Prints what a run would do, as a tree: the program, its user,
every mount of the file system that it sees, its variables, its limits and what
enforces them, filters and network, each with the policy line, flag or preset
that it comes from. If the command would not run, prints the same as 'bawn
check', and exits as that does.

Examples
  bawn explain -- make test
  bawn explain --policy agent --allow-exec git --json -- git status
)"},
    {Subcommand::policy, "policy", R"(bawn policy
    list the presets, one a line
bawn policy show PRESET|FILE
    print the effective policy, with the origin of each value
bawn policy lint PRESET|FILE
    print what is valid but probably a mistake; exits 126 if there is any
bawn policy schema
    print the JSON Schema of policy files
)"},
    {Subcommand::bench, "bench", R"(bawn bench spawn [options]

Starts a program that does nothing, many times: by posix_spawn, by bawn as a
program and as a library, by a clone with the same namespaces and nothing else,
by one with the same root and filter too (the kernel's share of the cost), and
by every other launcher found on PATH (bwrap with bawn's filter, unshare,
firejail, crun, nsjail, minijail0). Each round starts every launcher once; a
time is from the start of the launcher to its end. A launcher that does not work
here is listed with the reason.

Examples
  bawn bench spawn
  bawn bench spawn --runs 1000 --json --svg spawn.svg
)"},
    {Subcommand::doctor, "doctor", R"(bawn doctor [--json]

Tries everything that bawn needs of this host, in short-lived processes. Says
for each feature whether it works, what refuses it, and which command or file
changes that; then which tiers work and which promises hold.

Exits 0 if tier c (namespaces) works, 1 if it does not, and 125 if bawn itself
failed.

Example
  bawn doctor --json
)"},
};

// The words of `text`, on lines that begin at kHelpColumn. `line` is the first of them.
std::string wrapped(std::string line, std::string_view text) {
  std::string out;
  line.resize(kHelpColumn, ' ');
  for (const std::string_view word : split(text, ' ')) {
    if (line.size() + 1 + word.size() > kWidth) {
      out += concat(line, "\n");
      line.assign(kHelpColumn, ' ');
    }
    line += concat(line.size() == kHelpColumn ? "" : " ", word);
  }
  return concat(out, line, "\n");
}

std::string option_lines(Subcommand subcommand) {
  std::string out;
  std::string_view group;
  for (const CliOption& option : command_line_options()) {
    if (!option.belongs_to(subcommand)) continue;
    if (option.group != group) out += concat("\n", option.group, "\n");
    group = option.group;
    const std::string_view space = option.argument.empty() ? "" : " ";
    out += wrapped(concat("  ", option.name, space, option.argument), option.help);
  }
  return out;
}

}  // namespace

std::string help_text(std::string_view subcommand) {
  for (const HelpText& help : kTexts) {
    if (help.name == subcommand) return concat(help.text, option_lines(help.subcommand));
  }
  return std::string(kOverview);
}

}  // namespace bawn::cli
