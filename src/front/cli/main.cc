#include <array>
#include <exception>

#include "base/text.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"
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

int dispatch(Words words) {
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
