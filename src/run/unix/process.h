// What a run needs from the process that calls it, on Unix systems: random bytes, environment,
// stdio.
//
// Reads the process's state and changes none of it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "api/run_options.h"
#include "base/result.h"
#include "run/identity.h"

namespace bawn {

[[nodiscard]] Result<RandomBytes> random_bytes();

// Reads the caller's environment: RunOptions::caller_env, or this process's own.
[[nodiscard]] std::function<std::optional<std::string>(std::string_view)> environment_of(
    const RunOptions& options);

// How many of the caller's descriptors, counted from 0, the command uses.
[[nodiscard]] int borrowed_files(StdioMode mode);

// Which of those are terminals: bit i for descriptor i.
[[nodiscard]] std::uint32_t terminals_among(int files);

// An error if one of those is closed. Call before anything is opened: a free number would otherwise
// soon be a file of bawn.
[[nodiscard]] Result<void> require_stdio(StdioMode mode);

}  // namespace bawn
