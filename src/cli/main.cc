#include <unistd.h>

#include <array>
#include <exception>

#include "base/text.h"
#include "base/visible.h"
#include "cli/command.h"
#include "cli/files.h"
#include "policy/names.h"

namespace bawn::cli {
namespace {

struct Entry {
  std::string_view name;
  int (*command)(Words words);
};

constexpr Entry kCommands[] = {
    {"run", run_command},         {"exec", exec_command},     {"check", check_command},
    {"explain", explain_command}, {"policy", policy_command}, {"doctor", doctor_command},
#ifdef BAWN_HAS_BENCH
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

int report_failure(std::string_view subcommand, const Error& error) {
  const std::string from = subcommand.empty() ? "bawn: " : concat("bawn: ", subcommand, ": ");
  std::string text;
  for (const std::string_view line : split(error.message, '\n'))
    text += concat(from, visible(line, Layout::one_line), "\n");
  if (const std::string_view remedy = shortage_remedy(error.sys_errno); !remedy.empty())
    text += concat("  hint: ", remedy, "\n");
  const auto ignored = write_text(STDERR_FILENO, text);
  static_cast<void>(ignored);  // stderr was the last place to report to
  return kExitFailed;
}

int print_text(std::string_view text) {
  const auto written = write_text(STDOUT_FILENO, text);
  return written ? 0 : report_failure("", written.error());
}

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
