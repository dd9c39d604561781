#include "front/cli/log.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "base/visible.h"
#include "front/cli/input/files.h"

namespace bawn::cli {

Result<std::function<void(std::string_view)>> debug_log(const std::optional<std::string>& level) {
  constexpr std::array<std::string_view, 5> kLevels{"debug", "info", "warn", "error", "off"};
  if (level && std::find(kLevels.begin(), kLevels.end(), *level) == kLevels.end()) {
    return invalid_error(concat("--log-level: ", quote(*level),
                                " is not a level; expected debug, info, warn, error or off"));
  }
  if (level != "debug") return std::function<void(std::string_view)>();
  return std::function<void(std::string_view)>([](std::string_view line) {
    tell(STDERR_FILENO, concat("bawn: debug: ", visible(line, Layout::one_line), "\n"));
  });
}

void tell_notice(std::string_view line) {
  tell(STDERR_FILENO, concat("bawn: ", visible(line, Layout::one_line), "\n"));
}

}  // namespace bawn::cli
