// Files of the kernel in /proc, /sys and cgroupfs: read as a whole, written with one call.
//
// Never creates a file and keeps no descriptor open. Not for files that a user controls: symbolic
// links are followed.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::sys {

// Reads `name` relative to `directory` (borrowed; AT_FDCWD for a full path). Reading stops once 64
// KiB were read; a longer file is cut without an error.
[[nodiscard]] Result<std::string> read_control(int directory, const std::string& name);

// Writes `value` with a single write(2), because the kernel parses each call as a complete value.
// The file must exist. A short write is an error; the kernel may then have taken a part of the
// value.
[[nodiscard]] Result<void> write_control(int directory, const std::string& name,
                                         std::string_view value);

}  // namespace bawn::sys
