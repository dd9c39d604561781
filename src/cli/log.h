// bawn's own log: nothing unless asked for, always to stderr, never anything the policy calls a
// secret.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::cli {

// A function that logs one line at level debug, or an empty one if `level` would not show it. An
// unknown level is an error.
[[nodiscard]] Result<std::function<void(std::string_view)>> debug_log(
    const std::optional<std::string>& level);

// A line for the person who waits for the command, before it starts.
void tell_notice(std::string_view line);

}  // namespace bawn::cli
