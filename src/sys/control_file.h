// The kernel's own little files (/proc, /sys, cgroups): read whole, written with one call, never
// created.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::sys {

// The text of `name` in `directory` (AT_FDCWD for a whole path), at most 64 KiB of it.
[[nodiscard]] Result<std::string> read_control(int directory, const std::string& name);

// One write(2), because the kernel takes each call for a whole value. The file must exist.
[[nodiscard]] Result<void> write_control(int directory, const std::string& name,
                                         std::string_view value);

}  // namespace bawn::sys
