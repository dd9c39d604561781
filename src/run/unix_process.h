// What a run asks of the program it is part of, on a Unix.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "run/bawn.h"
#include "run/identity.h"

namespace bawn {

[[nodiscard]] Result<RandomBytes> random_bytes();

// The caller's environment: as the options have it, or this process's own.
[[nodiscard]] std::function<std::optional<std::string>(std::string_view)> environment_of(
    const RunOptions& options);

// How many of the caller's files, from 0 on, the command is to get.
[[nodiscard]] int borrowed_files(StdioMode mode);

// Which of those are a terminal: bit i for file i.
[[nodiscard]] std::uint32_t terminals_among(int files);

// An error if one of those is not there. Before anything is opened: a number that is free now would
// be one of our own files a moment later.
[[nodiscard]] Result<void> require_stdio(StdioMode mode);

}  // namespace bawn
