// Pipes and descriptor flags, with calls that every Unix has.
//
// Without pipe2() there is a gap between creating a descriptor and setting FD_CLOEXEC, in which
// another thread may fork. On Linux use sys/pipe.h, which has no such gap.
#pragma once

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::posix {

struct PipeEnds {
  Fd read;
  Fd write;
};

// Close-on-exec, blocking, numbered 3 or higher: dup2() onto a command's 0, 1 or 2 must not
// overwrite one of the ends.
[[nodiscard]] Result<PipeEnds> pipe();

// Only for a descriptor whose open file description is not shared: O_NONBLOCK belongs to the
// description, not to the descriptor.
[[nodiscard]] Result<void> set_nonblocking(int fd);

// Opens /dev/null for reading.
[[nodiscard]] Result<Fd> open_nothing();

}  // namespace bawn::posix
