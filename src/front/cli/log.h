// bawn's diagnostic messages on stderr: the debug log, and notices to the user.
//
// The debug log is off unless --log-level asks for it. This file does not filter secrets: the lines
// must not contain any, which RunOptions::log promises. Control characters are made visible.
//
// Not for errors (report_failure in command.h) and not for outcomes.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::cli {

// A function that logs one line at level debug. It is empty if `level` is absent or does not
// include debug. An unknown level is an error. A line is dropped if stderr is blocked; see
// tell() in files.h.
[[nodiscard]] Result<std::function<void(std::string_view)>> debug_log(
    const std::optional<std::string>& level);

// Writes one line to stderr for the user, before the command starts. The line is dropped if stderr
// is blocked; see tell() in files.h.
void tell_notice(std::string_view line);

}  // namespace bawn::cli
