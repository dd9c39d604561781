#include <algorithm>
#include <array>
#include <exception>

#include "base/text.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"
#if defined(__linux__)
#include "host/capability_probe.h"
#endif
#include "policy/text/names.h"

namespace bawn::cli {
namespace {

struct Entry {
  std::string_view name;
  int (*command)(Words words);
};

constexpr Entry kCommands[] = {
    {"run", run_command},         {"exec", exec_command},     {"check", check_command},
    {"explain", explain_command}, {"policy", policy_command}, {"doctor", doctor_command},
#if defined(__linux__)
    {"bench", bench_command},
#endif
};

constexpr auto kNames = [] {
  std::array<std::string_view, std::size(kCommands)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kCommands[i].name;
  return names;
}();

std::string suggestion(std::string_view name) {
  if (name.starts_with('-'))
    return concat("options come after the subcommand, as in 'bawn run ", name, " ...'");
  const std::string_view meant = nearest(name, kNames);
  if (!meant.empty()) return concat("did you mean 'bawn ", meant, "'?");
  return "to run a command: bawn run [options] -- CMD [ARG...]";
}

int unknown_command(std::string_view name) {
  return report_failure("", invalid_error(concat(quote(name), " is not a subcommand (",
                                                 one_of(kNames), "); ", suggestion(name))));
}

int help_command(Words words) { return print_help(words.empty() ? "" : words.front()); }

#if defined(__linux__)
// True for words that open no file for the caller and start no command.
bool is_harmless(Words words) {
  constexpr std::string_view kHarmless[] = {"doctor", "help", "--help", "-h", "--version"};
  return !words.empty() && std::ranges::count(kHarmless, words.front()) != 0;
}

// With the privileges of its file bawn would open policies, workspaces and grants that the caller
// may not open. It gives them up before it looks at a word, and then refuses, because it cannot
// know what they were meant for.
Result<void> refuse_privileges(const GainedPrivileges& gained, Words words) {
  if (!gained.any()) return {};
  BAWN_TRY(drop_privileges(gained));
  if (is_harmless(words)) return {};
  const std::string_view by =
      gained.user || gained.group ? "set-user-id or set-group-id" : "file capabilities";
  return invalid_error(concat("it was started with privileges that the caller does not have (", by,
                              "), and bawn would use them for whatever the caller names; nothing "
                              "was done; 'bawn doctor' tells where they come from"));
}
#endif

int dispatch(Words words) {
#if defined(__linux__)
  if (auto refused = refuse_privileges(probe_gained_privileges(), words); !refused)
    return report_failure("", refused.error());
#endif
  if (auto filled = fill_standard_files(); !filled) return report_failure("", filled.error());
  if (words.empty()) {
    return report_failure("", invalid_error(concat("no subcommand; expected ", one_of(kNames),
                                                   "; see 'bawn --help'")));
  }
  const std::string_view name = words.front();
  if (name == "--help" || name == "-h" || name == "help") return help_command(words.subspan(1));
  if (name == "--version") return print_text("bawn " BAWN_VERSION "\n");
  for (const Entry& entry : kCommands) {
    if (entry.name == name) return entry.command(words.subspan(1));
  }
  return unknown_command(name);
}

}  // namespace

}  // namespace bawn::cli

int main(int argc, char** argv) {
  try {
    const std::vector<char*> words = bawn::cli::command_words(argc, argv);
    return bawn::cli::dispatch(words);
  } catch (
      const std::exception& problem) {  // out of memory: bawn's own failure, never the command's
    return bawn::cli::report_failure("", bawn::invalid_error(problem.what()));
  }
}
