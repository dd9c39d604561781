// Pipes, and moving data between them without copying. macOS has only pipe() and set_nonblocking().
//
// Descriptors passed as `int` are borrowed. Only pipe() creates descriptors. None of these
// functions blocks.
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

// Both ends are close-on-exec, blocking and numbered 3 or higher: dup2() onto a command's 0, 1 or 2
// must not overwrite one of them. macOS has no pipe2(): another thread may fork before they are
// close-on-exec.
[[nodiscard]] Result<PipeEnds> pipe();

// Asks for a capacity of `wanted` bytes and halves it until the kernel agrees; an unprivileged user
// is limited by /proc/sys/fs/pipe-max-size and pipe-user-pages-soft. Returns the resulting
// capacity. Never fails: the pipe keeps its present size if it cannot grow.
std::size_t grow_pipe(int pipe, std::size_t wanted);

// Shrinks the pipe to one page. It then polls writable exactly while it is empty. False if the
// kernel refuses.
[[nodiscard]] bool shrink_pipe(int pipe);

[[nodiscard]] bool is_pipe(int fd);

// The number of bytes in the pipe (FIONREAD, works on both ends); nothing if the ioctl fails.
[[nodiscard]] std::optional<std::size_t> pipe_content(int pipe);

// Distinguishes the causes of EAGAIN from move_pages and show_pages: splice() and tee() report a
// full `to` even if `from` is at its end.
enum class PipeInput { empty, waiting, ended };
[[nodiscard]] PipeInput pipe_input(int from);

// Move or duplicate up to `most` bytes from pipe to pipe without copying. They never block,
// whatever O_NONBLOCK is on either end. move_pages (splice) consumes the bytes of `from`;
// show_pages (tee) leaves them there. Both return what the system call returns: 0 at the end of
// `from`, -1 with EAGAIN if `from` is empty or `to` is full.
[[nodiscard]] ssize_t move_pages(int from, int to, std::size_t most);
[[nodiscard]] ssize_t show_pages(int from, int to, std::size_t most);

// Only for a descriptor whose open file description is not shared: O_NONBLOCK belongs to the
// description, so every other holder would become non-blocking too.
[[nodiscard]] Result<void> set_nonblocking(int fd);

}  // namespace bawn::sys
