// Pipes and flags, by calls that every Unix has. For Linux alone sys/pipe.h does it without a gap
// between two calls.
#pragma once

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::posix {

struct PipeEnds {
  Fd read;
  Fd write;
};

// Close-on-exec, blocking, numbered 3 or higher: an end that is to become a command's 0, 1 or 2
// must not be one of them.
[[nodiscard]] Result<PipeEnds> pipe();

// Only for a descriptor nobody else shares: O_NONBLOCK belongs to the open file, not to the
// descriptor.
[[nodiscard]] Result<void> set_nonblocking(int fd);

// /dev/null for reading.
[[nodiscard]] Result<Fd> open_nothing();

}  // namespace bawn::posix
