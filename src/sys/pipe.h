// Pipes. Both ends are close-on-exec and blocking until someone says otherwise.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

struct PipeEnds {
  Fd read;
  Fd write;
};

[[nodiscard]] Result<PipeEnds> pipe();

// Asks for a capacity of `wanted` bytes, or as near below it as the kernel permits this user
// (/proc/sys/fs/pipe-max-size, pipe-user-pages-soft). Returns the capacity the pipe has afterwards; never a
// failure, because every pipe works at the size it was born with.
std::size_t grow_pipe(int pipe, std::size_t wanted);

// Only for a descriptor nobody else shares: O_NONBLOCK belongs to the open file, not to the descriptor.
[[nodiscard]] Result<void> set_nonblocking(int fd);

}  // namespace bawn::sys
