#include "validate/program/command_argument.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"
#include "validate/program/git_arguments.h"
#include "validate/program/program_name.h"
#include "validate/shell/sed_program.h"

namespace bawn {
namespace {

using Words = std::span<const std::string>;

enum class Effect {
  runs,  // the value is a command line
  code,  // the value is or loads code
};

struct CommandOption {
  std::string_view program;
  std::string_view option;    // with its dashes
  std::string_view shortest;  // shortest accepted abbreviation of a long option; "" = none
  Effect effect = Effect::runs;
  std::string_view value_prefix = {};  // only values that begin with this count (in lower case)
};

// Sorted by program.
constexpr std::array kCommandOptions{
    CommandOption{"ack", "--pager", ""},
    CommandOption{"ag", "--pager", ""},
    CommandOption{"apt", "-o", "", Effect::code},
    CommandOption{"apt", "--option", "--op", Effect::code},
    CommandOption{"apt", "-c", "", Effect::code},
    CommandOption{"apt-get", "-o", "", Effect::code},
    CommandOption{"apt-get", "--option", "--op", Effect::code},
    CommandOption{"apt-get", "-c", "", Effect::code},
    CommandOption{"ar", "--plugin", "", Effect::code},
    CommandOption{"bat", "--pager", ""},
    CommandOption{"bsdtar", "--use-compress-program", "--use-compress-program"},
    CommandOption{"c++", "-wrapper", "", Effect::code},
    CommandOption{"c++", "-fplugin", "", Effect::code},
    CommandOption{"c++", "-B", "", Effect::code},
    CommandOption{"c++", "-specs", "", Effect::code},
    CommandOption{"c++", "--specs", "", Effect::code},
    CommandOption{"c++", "-Xlinker", "", Effect::code, "-plugin"},
    CommandOption{"c++", "-Xlinker", "", Effect::code, "--plugin"},
    CommandOption{"cc", "-wrapper", "", Effect::code},
    CommandOption{"cc", "-fplugin", "", Effect::code},
    CommandOption{"cc", "-B", "", Effect::code},
    CommandOption{"cc", "-specs", "", Effect::code},
    CommandOption{"cc", "--specs", "", Effect::code},
    CommandOption{"cc", "-Xlinker", "", Effect::code, "-plugin"},
    CommandOption{"cc", "-Xlinker", "", Effect::code, "--plugin"},
    CommandOption{"clang", "-fplugin", "", Effect::code},
    CommandOption{"clang", "-B", "", Effect::code},
    CommandOption{"clang", "-specs", "", Effect::code},
    CommandOption{"clang", "--specs", "", Effect::code},
    CommandOption{"clang", "-Xlinker", "", Effect::code, "-plugin"},
    CommandOption{"clang", "-Xlinker", "", Effect::code, "--plugin"},
    CommandOption{"clang", "-fpass-plugin", "", Effect::code},
    CommandOption{"clang", "--ld-path", "", Effect::code},
    CommandOption{"clang", "-fuse-ld", "", Effect::code, "/"},
    CommandOption{"clang", "-fuse-ld", "", Effect::code, "."},
    CommandOption{"clang", "-load", "", Effect::code},
    CommandOption{"clang", "--config", "", Effect::code},
    CommandOption{"clang++", "-fplugin", "", Effect::code},
    CommandOption{"clang++", "-B", "", Effect::code},
    CommandOption{"clang++", "-specs", "", Effect::code},
    CommandOption{"clang++", "--specs", "", Effect::code},
    CommandOption{"clang++", "-Xlinker", "", Effect::code, "-plugin"},
    CommandOption{"clang++", "-Xlinker", "", Effect::code, "--plugin"},
    CommandOption{"clang++", "-fpass-plugin", "", Effect::code},
    CommandOption{"clang++", "--ld-path", "", Effect::code},
    CommandOption{"clang++", "-fuse-ld", "", Effect::code, "/"},
    CommandOption{"clang++", "-fuse-ld", "", Effect::code, "."},
    CommandOption{"clang++", "-load", "", Effect::code},
    CommandOption{"clang++", "--config", "", Effect::code},
    CommandOption{"cpio", "--rsh-command", "--rsh"},
    CommandOption{"cpp", "-wrapper", "", Effect::code},
    CommandOption{"cpp", "-fplugin", "", Effect::code},
    CommandOption{"curl", "--engine", "--engi", Effect::code},
    CommandOption{"cvs", "-e", ""},
    CommandOption{"diff", "--diff-program", "--diff-p"},  // diff3, whose family is diff
    CommandOption{"dpkg", "--pre-invoke", "--pre", Effect::code},
    CommandOption{"dpkg", "--post-invoke", "--po", Effect::code},
    CommandOption{"fd", "-x", "", Effect::code},
    CommandOption{"fd", "-X", "", Effect::code},
    CommandOption{"fd", "--exec", "", Effect::code},
    CommandOption{"fd", "--exec-batch", "", Effect::code},
    CommandOption{"fdfind", "-x", "", Effect::code},
    CommandOption{"fdfind", "-X", "", Effect::code},
    CommandOption{"fdfind", "--exec", "", Effect::code},
    CommandOption{"fdfind", "--exec-batch", "", Effect::code},
    CommandOption{"fzf", "--preview", "", Effect::code},
    CommandOption{"fzf", "--bind", "", Effect::code},
    CommandOption{"g++", "-wrapper", "", Effect::code},
    CommandOption{"g++", "-fplugin", "", Effect::code},
    CommandOption{"g++", "-B", "", Effect::code},
    CommandOption{"g++", "-specs", "", Effect::code},
    CommandOption{"g++", "--specs", "", Effect::code},
    CommandOption{"g++", "-Xlinker", "", Effect::code, "-plugin"},
    CommandOption{"g++", "-Xlinker", "", Effect::code, "--plugin"},
    CommandOption{"gcc", "-wrapper", "", Effect::code},
    CommandOption{"gcc", "-fplugin", "", Effect::code},
    CommandOption{"gcc", "-B", "", Effect::code},
    CommandOption{"gcc", "-specs", "", Effect::code},
    CommandOption{"gcc", "--specs", "", Effect::code},
    CommandOption{"gcc", "-Xlinker", "", Effect::code, "-plugin"},
    CommandOption{"gcc", "-Xlinker", "", Effect::code, "--plugin"},
    CommandOption{"gcc-ar", "--plugin", "", Effect::code},
    CommandOption{"gcc-nm", "--plugin", "", Effect::code},
    CommandOption{"gcc-ranlib", "--plugin", "", Effect::code},
    CommandOption{"gpg", "--agent-program", "--agent"},
    CommandOption{"gpg", "--photo-viewer", "--photo-v"},
    CommandOption{"gpg", "--exec-path", "", Effect::code},
    CommandOption{"gpg-agent", "--daemon", "--da", Effect::code},  // runs the command after it
    CommandOption{"gpgsm", "--agent-program", "--agent"},
    CommandOption{"groff", "-U", "", Effect::code},  // unsafe mode: .sy, .pso
    CommandOption{"hg", "--config", "--config", Effect::code},
    CommandOption{"latex", "--shell-escape", "", Effect::code},
    CommandOption{"latex", "-shell-escape", "", Effect::code},
    CommandOption{"latex", "-enable-write18", "", Effect::code},
    CommandOption{"ld", "-plugin", "", Effect::code},
    CommandOption{"ld", "--plugin", "", Effect::code},
    CommandOption{"ld.bfd", "-plugin", "", Effect::code},
    CommandOption{"ld.bfd", "--plugin", "", Effect::code},
    CommandOption{"ld.gold", "-plugin", "", Effect::code},
    CommandOption{"ld.gold", "--plugin", "", Effect::code},
    CommandOption{"ld.lld", "-plugin", "", Effect::code},
    CommandOption{"ld.lld", "--plugin", "", Effect::code},
    CommandOption{"lld", "-plugin", "", Effect::code},
    CommandOption{"lld", "--plugin", "", Effect::code},
    CommandOption{"ltrace", "-o", "", Effect::code, "|"},
    CommandOption{"lualatex", "--shell-escape", "", Effect::code},
    CommandOption{"lualatex", "-shell-escape", "", Effect::code},
    CommandOption{"man", "--html", "--html"},
    CommandOption{"man", "--pager", "--pa"},
    CommandOption{"man", "-H", ""},
    CommandOption{"man", "-P", ""},
    CommandOption{"man", "-C", "", Effect::code},
    CommandOption{"man", "--config-file", "--c", Effect::code},
    CommandOption{"nc", "-c", "", Effect::code},
    CommandOption{"nc", "-e", ""},
    CommandOption{"ncat", "--exec", "--ex"},
    CommandOption{"ncat", "--lua-exec", "--lu", Effect::code},
    CommandOption{"ncat", "--sh-exec", "--sh", Effect::code},
    CommandOption{"ncat", "-c", "", Effect::code},
    CommandOption{"ncat", "-e", ""},
    CommandOption{"netcat", "-c", "", Effect::code},
    CommandOption{"netcat", "-e", ""},
    CommandOption{"nm", "--plugin", "", Effect::code},
    CommandOption{"nmap", "--script", "", Effect::code},
    CommandOption{"openssl", "-engine", "", Effect::code},
    CommandOption{"openssl", "-provider-path", "", Effect::code},
    CommandOption{"openssl", "-provider_path", "", Effect::code},
    CommandOption{"pandoc", "-F", ""},
    CommandOption{"pandoc", "--filter", "--fi"},
    CommandOption{"pandoc", "-L", "", Effect::code},
    CommandOption{"pandoc", "--lua-filter", "--lu", Effect::code},
    CommandOption{"pandoc", "--pdf-engine", "--pdf-engine"},
    CommandOption{"pdflatex", "--shell-escape", "", Effect::code},
    CommandOption{"pdflatex", "-shell-escape", "", Effect::code},
    CommandOption{"pdflatex", "-enable-write18", "", Effect::code},
    CommandOption{"pdftex", "-shell-escape", "", Effect::code},
    CommandOption{"pic", "-U", "", Effect::code},  // unsafe mode: .sy, .pso
    CommandOption{"ranlib", "--plugin", "", Effect::code},
    CommandOption{"rg", "--pre", ""},
    CommandOption{"rg", "--hostname-bin", ""},
    CommandOption{"rpm", "--eval", "--ev", Effect::code},
    CommandOption{"rpm", "-E", "", Effect::code},
    CommandOption{"rpm", "--pipe", "--pi", Effect::code},
    CommandOption{"rsync", "--rsh", "--rsh"},
    CommandOption{"rsync", "-e", ""},
    CommandOption{"rsync", "--daemon", "--da",
                  Effect::code},  // a daemon's configuration can name commands
    CommandOption{"rustc", "-C", "", Effect::code, "linker"},
    CommandOption{"rustc", "--codegen", "--codegen", Effect::code, "linker"},
    CommandOption{"scp", "-F", "", Effect::code},
    CommandOption{"scp", "-S", ""},
    CommandOption{"scp", "-o", "", Effect::code, "proxycommand"},
    CommandOption{"scp", "-D", ""},
    CommandOption{"scp", "-o", "", Effect::code, "knownhostscommand"},
    CommandOption{"scp", "-o", "", Effect::code, "localcommand"},
    CommandOption{"scp", "-o", "", Effect::code, "pkcs11provider"},
    CommandOption{"scp", "-o", "", Effect::code, "securitykeyprovider"},
    CommandOption{"sdiff", "--diff-program", "--d"},
    CommandOption{"sftp", "-F", "", Effect::code},
    CommandOption{"sftp", "-S", ""},
    CommandOption{"sftp", "-o", "", Effect::code, "proxycommand"},
    CommandOption{"sftp", "-D", ""},
    CommandOption{"sftp", "-o", "", Effect::code, "knownhostscommand"},
    CommandOption{"sftp", "-o", "", Effect::code, "localcommand"},
    CommandOption{"sftp", "-o", "", Effect::code, "pkcs11provider"},
    CommandOption{"sftp", "-o", "", Effect::code, "securitykeyprovider"},
    CommandOption{"sort", "--compress-program", "--co"},
    CommandOption{"split", "--filter", "--f"},
    CommandOption{"ssh", "-F", "", Effect::code},  // a file of options, ProxyCommand among them
    CommandOption{"ssh", "-I", "", Effect::code},  // loads a library
    CommandOption{"ssh", "-o", "", Effect::code, "knownhostscommand"},
    CommandOption{"ssh", "-o", "", Effect::code, "localcommand"},
    CommandOption{"ssh", "-o", "", Effect::code, "permitlocalcommand=yes"},
    CommandOption{"ssh", "-o", "", Effect::code, "pkcs11provider"},
    CommandOption{"ssh", "-o", "", Effect::code, "proxycommand"},
    CommandOption{"ssh", "-o", "", Effect::code, "securitykeyprovider"},
    CommandOption{"ssh", "-o", "", Effect::code, "xauthlocation"},
    CommandOption{"ssh-add", "-s", "", Effect::code},
    CommandOption{"ssh-add", "-S", "", Effect::code},
    CommandOption{"ssh-keygen", "-D", "", Effect::code},
    CommandOption{"ssh-keygen", "-w", "", Effect::code},
    CommandOption{"strace", "--output", "--out", Effect::code, "|"},
    CommandOption{"strace", "-E", "", Effect::code},  // sets variables such as LD_PRELOAD
    CommandOption{"strace", "-o", "", Effect::code, "!"},
    CommandOption{"strace", "-o", "", Effect::code, "|"},
    CommandOption{"svn", "--config-option", "", Effect::code},
    CommandOption{"svn", "--config-dir", "", Effect::code},
    CommandOption{"svn", "--diff-cmd", ""},
    CommandOption{"svn", "--diff3-cmd", ""},
    CommandOption{"svn", "--editor-cmd", ""},
    CommandOption{"tar", "--checkpoint-action", "--checkpoint-", Effect::code, "exec"},
    CommandOption{"tar", "--info-script", "--inf"},
    CommandOption{"tar", "--new-volume-script", "--new"},
    CommandOption{"tar", "--rmt-command", "--rm"},
    CommandOption{"tar", "--rsh-command", "--rs"},
    CommandOption{"tar", "--to-command", "--to-c"},
    CommandOption{"tar", "--use-compress-program", "--u"},
    CommandOption{"tar", "-F", ""},
    CommandOption{"tar", "-I", ""},
    CommandOption{"tcpdump", "-z", ""},
    CommandOption{"troff", "-U", "", Effect::code},  // unsafe mode: .sy, .pso
    CommandOption{"tshark", "-X", "", Effect::code},
    CommandOption{"wget", "--execute", "--ex", Effect::code, "use_askpass"},
    CommandOption{"wget", "--use-askpass", "--use-a"},
    CommandOption{"wget", "-e", "", Effect::code, "use_askpass"},
    CommandOption{"xelatex", "--shell-escape", "", Effect::code},
    CommandOption{"xelatex", "-shell-escape", "", Effect::code},
    CommandOption{"zip", "--unzip-command", "--unzip-c"},
    CommandOption{"zip", "-TT", ""},
};
static_assert(std::is_sorted(kCommandOptions.begin(), kCommandOptions.end(),
                             [](const CommandOption& a, const CommandOption& b) {
                               return a.program < b.program;
                             }));

// Options of compilers have several letters, so only the first one counts: every letter but B ends
// the search for -B.
constexpr std::string_view kAllButB = "ACDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// Short options with a value: the rest of the cluster is that value, so "-fI.tar" is not "-I .tar".
// Sorted by program.
constexpr std::array<std::pair<std::string_view, std::string_view>, 21> kValueLetters{{
    {"c++", kAllButB},
    {"cc", kAllButB},
    {"clang", kAllButB},
    {"clang++", kAllButB},
    {"fd", "cdeEjoStT"},
    {"fdfind", "cdeEjoStT"},
    {"g++", kAllButB},
    {"gcc", kAllButB},
    {"man", "CLMPRSerm"},
    {"nc", "IiMmOPpqsTVwXx"},
    {"ncat", "pwsgGomn"},
    {"rsync", "BMTef"},
    {"rustc", "LloO"},
    {"scp", "cDFiJloPSX"},
    {"sftp", "BbcDFiJloPRSs"},
    {"ssh", "BbcDEeFIiJLlmOopQRSWw"},
    {"ssh-keygen", "abCEFfGIJjKMmNnOPRrSsTtVWYZz"},
    {"strace", "abeEIoOpPsSuUX"},
    {"tar", "bCfgHKLNTVX"},
    {"tcpdump", "BcCDEFGijJmMQrsTVwWyz"},
    {"wget", "aBDeIiloOPQRtTUwX"},
}};

std::string_view value_letters(std::string_view program) {
  for (const auto& [name, letters] : kValueLetters) {
    if (name == program) return letters;
  }
  return "";
}

bool is_short(std::string_view option) { return option.size() == 2 && option[1] != '-'; }

// The value of an option that ends its word: the next word, or "" if there is none.
std::optional<std::string> value_after(Words words, std::size_t at) {
  return at + 1 < words.size() ? std::optional(words[at + 1]) : std::optional(std::string());
}

// match_short() and match_long() return the value if `words[at]` is this option; it may be attached
// or the next word.
std::optional<std::string> match_short(const CommandOption& option, Words words, std::size_t at) {
  const std::string_view word = words[at];
  if (word.size() < 2 || word[0] != '-' || word[1] == '-') return std::nullopt;
  const std::string_view others = value_letters(option.program);
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (word[i] == option.option[1]) {
      return i + 1 < word.size() ? std::optional(std::string(word.substr(i + 1)))
                                 : value_after(words, at);
    }
    if (others.find(word[i]) != std::string_view::npos) return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> match_long(const CommandOption& option, Words words, std::size_t at) {
  const std::string_view word = words[at];
  const std::size_t equals = word.find('=');
  const std::string_view typed = word.substr(0, equals);
  const bool abbreviated = !option.shortest.empty() && typed.size() >= option.shortest.size() &&
                           option.option.starts_with(typed);
  if (typed != option.option && !abbreviated) return std::nullopt;
  if (equals != std::string_view::npos) return std::string(word.substr(equals + 1));
  return value_after(words, at);
}

// ssh skips these characters before the name of an option: -o ' ProxyCommand x', -o
// '"ProxyCommand"=x'.
std::string_view without_lead(std::string_view value) {
  return value.substr(std::min(value.find_first_not_of(" \t\r\n\f\"="), value.size()));
}

void note(ArgumentCommands& found, const CommandOption& option, std::string value,
          const std::string& word) {
  if (!ascii_lower(without_lead(value)).starts_with(option.value_prefix)) return;
  if (option.effect == Effect::runs && !value.empty()) {
    found.command_lines.push_back(std::move(value));
  } else {
    found.code.push_back(word);
  }
}

void search_options(std::string_view program, Words args, ArgumentCommands& found) {
  for (const CommandOption& option : kCommandOptions) {
    if (option.program != program) continue;
    for (std::size_t at = 0; at < args.size() && args[at] != "--"; ++at) {
      auto value =
          is_short(option.option) ? match_short(option, args, at) : match_long(option, args, at);
      if (value) note(found, option, std::move(*value), args[at]);
    }
  }
}

// `tar xIf PROGRAM FILE`: letters without a dash take their values from the next words, in order.
void search_old_tar_letters(Words args, ArgumentCommands& found) {
  if (args.empty() || args.front().starts_with('-')) return;
  if (args.front().find_first_of("IF") != std::string::npos) found.code.push_back(args.front());
}

// Plug-ins of the linker (-Wl,), and @FILE, which holds further options that are not read here.
void search_compiler_words(Words args, ArgumentCommands& found) {
  for (const std::string& word : args) {
    const bool plugin = word.starts_with("-Wl,") && word.find("-plugin") != std::string::npos;
    if (plugin || word.starts_with('@')) found.code.push_back(word);
  }
}

// socat's addresses EXEC:, SYSTEM: and SHELL: start programs.
void search_socat_addresses(Words args, ArgumentCommands& found) {
  for (const std::string& word : args) {
    const std::string lower = ascii_lower(word);
    for (const std::string_view kind : {"exec", "system", "shell"}) {
      if (lower == kind || lower.starts_with(concat(kind, ":")) ||
          lower.find(concat("!!", kind, ":")) != std::string::npos) {
        found.code.push_back(word);
      }
    }
  }
}

}  // namespace

bool has_command_arguments(std::string_view name) {
  const std::string program = program_family(base_name(name));
  return program == "git" || program == "sed" || program == "gsed" || program == "socat" ||
         std::any_of(kCommandOptions.begin(), kCommandOptions.end(),
                     [&](const CommandOption& option) { return option.program == program; });
}

ArgumentCommands find_argument_commands(std::string_view name, Words args) {
  const std::string program = program_family(base_name(name));
  ArgumentCommands found;
  search_options(program, args, found);
  if (program == "git") search_git_arguments(args, found);
  if (program == "sed" || program == "gsed") search_sed_program(args, found);
  if (value_letters(program) == kAllButB) search_compiler_words(args, found);
  if (program == "socat") search_socat_addresses(args, found);
  if (program == "tar") search_old_tar_letters(args, found);
  return found;
}

}  // namespace bawn
