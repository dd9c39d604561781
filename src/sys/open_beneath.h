// Opens a file below a directory in which a command may have put anything.
//
// No link is followed, nothing above the directory is reached, and no FIFO or device can block: on
// Linux by openat2 where the kernel has it, else component by component.
#pragma once

#include <string_view>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

// `path` is relative, without ".."; "" is the directory itself. `flags` as for open(2), for reading
// only; O_CLOEXEC, O_NONBLOCK, O_NOCTTY and O_NOFOLLOW are added.
[[nodiscard]] Result<Fd> open_beneath(int directory, std::string_view path, int flags);

}  // namespace bawn::sys
