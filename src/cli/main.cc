#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <exception>

#include "base/text.h"
#include "cli/command.h"
#include "cli/files.h"
#include "policy/names.h"
#include "sys/fd.h"
#include "sys/open.h"

namespace bawn::cli {
namespace {

struct Entry {
  std::string_view name;
  int (*command)(Words words);
};

constexpr Entry kCommands[] = {
    {"run", run_command},         {"exec", exec_command},     {"check", check_command},
    {"explain", explain_command}, {"policy", policy_command}, {"doctor", doctor_command},
    {"bench", bench_command},
};

constexpr auto kNames = [] {
  std::array<std::string_view, std::size(kCommands)> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kCommands[i].name;
  return names;
}();

std::string suggestion(std::string_view name) {
  if (name.starts_with('-'))
    return concat("options stand behind the subcommand, as in 'bawn run ", name, " ...'");
  const std::string_view meant = nearest(name, kNames);
  if (!meant.empty()) return concat("did you mean 'bawn ", meant, "'?");
  return "to run a command: bawn run [options] -- CMD [ARG...]";
}

int unknown_command(std::string_view name) {
  return report_failure("", invalid_error(concat(quote(name), " is not a subcommand (", one_of(kNames), "); ",
                                                 suggestion(name))));
}

// A program that is started with one of these closed gives its number to what it opens first, and would then hand that
// on as the command's stdin, or write its messages there.
Result<void> fill_standard_files() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) != -1) continue;
    BAWN_ASSIGN(Fd nothing, sys::open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY));
    if (nothing.release() != fd)
      return invalid_error(concat("file ", fd, " is closed and cannot be replaced"));
  }
  return {};
}

int help_command(Words words) { return print_help(words.empty() ? "" : words.front()); }

int dispatch(Words words) {
  if (auto filled = fill_standard_files(); !filled) return report_failure("", filled.error());
  if (words.empty()) {
    return report_failure(
        "", invalid_error(concat("no subcommand; expected ", one_of(kNames), "; see 'bawn --help'")));
  }
  const std::string_view name = words.front();
  if (name == "--help" || name == "-h" || name == "help") return help_command(words.subspan(1));
  if (name == "--version") return write_text(STDOUT_FILENO, "bawn " BAWN_VERSION "\n") ? 0 : kExitFailed;
  for (const Entry& entry : kCommands) {
    if (entry.name == name) return entry.command(words.subspan(1));
  }
  return unknown_command(name);
}

// A caller that closed 0, 1 or 2 would have the next files we open under these numbers, and those are what the command
// gets as its own.
bool fill_closed_stdio() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    // NOLINTNEXTLINE(android-cloexec-open): handed on like any stdio
    if (fcntl(fd, F_GETFD) == -1 && open("/dev/null", O_RDWR) != fd) return false;
  }
  return true;
}

}  // namespace

int report_failure(std::string_view subcommand, const Error& error) {
  const std::string from = subcommand.empty() ? "bawn: " : concat("bawn: ", subcommand, ": ");
  std::string text;
  for (const std::string_view line : split(error.message, '\n')) text += concat(from, line, "\n");
  const auto ignored = write_text(STDERR_FILENO, text);
  static_cast<void>(ignored);  // there is nowhere left to say so
  return kExitFailed;
}

}  // namespace bawn::cli

int main(int argc, char** argv) {
  // argc is 0 for a caller that means harm; argv[0] is then not there.
  const bawn::cli::Words words(argv, static_cast<std::size_t>(argc > 0 ? argc : 0));
  if (!bawn::cli::fill_closed_stdio()) return bawn::cli::kExitFailed;
  try {
    return bawn::cli::dispatch(words.empty() ? words : words.subspan(1));
  } catch (const std::exception& problem) {  // out of memory: bawn's own failure, never the command's
    return bawn::cli::report_failure("", bawn::invalid_error(problem.what()));
  }
}
