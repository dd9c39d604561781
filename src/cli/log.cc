#include "cli/log.h"

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>

#include "base/text.h"
#include "base/visible.h"
#include "cli/files.h"

namespace bawn::cli {

Result<std::function<void(std::string_view)>> debug_log(const std::optional<std::string>& level) {
  if (!level) return std::function<void(std::string_view)>();
  const spdlog::level::level_enum parsed = spdlog::level::from_str(*level);
  if (parsed == spdlog::level::off &&
      *level != "off") {  // from_str returns off for an unknown level
    return invalid_error(concat("--log-level: ", quote(*level),
                                " is not a level; expected debug, info, warn, error or off"));
  }
  if (parsed > spdlog::level::debug) return std::function<void(std::string_view)>();
  auto logger =
      std::make_shared<spdlog::logger>("bawn", std::make_shared<spdlog::sinks::stderr_sink_st>());
  logger->set_level(parsed);
  logger->set_pattern("bawn: %l: %v");
  return std::function<void(std::string_view)>(
      [logger](std::string_view line) { logger->debug("{}", visible(line, Layout::one_line)); });
}

void tell_notice(std::string_view line) {
  tell(STDERR_FILENO, concat("bawn: ", visible(line, Layout::one_line), "\n"));
}

}  // namespace bawn::cli
