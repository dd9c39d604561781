#include <unistd.h>

#include "base/text.h"
#include "base/visible.h"
#include "front/cli/command.h"
#include "front/cli/help.h"
#include "front/cli/input/files.h"

namespace bawn::cli {

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

int print_help(std::string_view subcommand) { return print_text(help_text(subcommand)); }

}  // namespace bawn::cli
