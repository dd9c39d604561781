// Pipes. Both ends are close-on-exec and blocking until someone says otherwise.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

struct PipeEnds {
  Fd read;
  Fd write;
};

[[nodiscard]] Result<PipeEnds> pipe();

// Asks for a capacity of `wanted` bytes, or as near below it as the kernel permits this user
// (/proc/sys/fs/pipe-max-size, pipe-user-pages-soft). Returns the capacity the pipe has afterwards;
// never a failure, because every pipe works at the size it was born with.
std::size_t grow_pipe(int pipe, std::size_t wanted);

// Makes the pipe hold one buffer only, so that it polls writable exactly while it is empty. False
// if the kernel refuses.
[[nodiscard]] bool shrink_pipe(int pipe);

[[nodiscard]] bool is_pipe(int fd);

// How many bytes wait in a pipe, asked of either end; none if that cannot be asked.
[[nodiscard]] std::optional<std::size_t> pipe_content(int pipe);

// Why move_pages or show_pages said EAGAIN: splice() and tee() look at `to` even if `from` has
// ended.
enum class PipeInput { empty, waiting, ended };
[[nodiscard]] PipeInput pipe_input(int from);

// From pipe to pipe without copying and without waiting, whatever the flags of the two: move_pages
// takes the bytes out of `from`, show_pages leaves them there as well. Return what splice() and
// tee() do: 0 at the end of `from`, -1 with errno EAGAIN if `from` is empty or `to` is full.
[[nodiscard]] ssize_t move_pages(int from, int to, std::size_t most);
[[nodiscard]] ssize_t show_pages(int from, int to, std::size_t most);

// Only for a descriptor nobody else shares: O_NONBLOCK belongs to the open file, not to the
// descriptor.
[[nodiscard]] Result<void> set_nonblocking(int fd);

}  // namespace bawn::sys
