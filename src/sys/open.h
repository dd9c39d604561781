// Opens and duplicates descriptors, and makes memfds.
//
// macOS has only the first three functions. Every new descriptor is close-on-exec. On failure
// nothing stays open. Not for paths that a user or a command controls: those are resolved with
// openat2() elsewhere.
#pragma once

#include <string_view>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

// `flags` as for open(2), without O_CREAT (no mode is passed). O_CLOEXEC is added. Only for paths
// that bawn itself chose.
[[nodiscard]] Result<Fd> open(const char* path, int flags);

// A second descriptor, 3 or higher, for the same open file description: file offset and O_NONBLOCK
// are shared with `fd`.
[[nodiscard]] Result<Fd> duplicate(int fd);

// Moves `fd` to 3 or higher; the old number is closed. If bawn was started with 0, 1 or 2 closed,
// the first files it opens get those numbers. A descriptor that is to become a child's 0, 1 or 2
// must not have one of these numbers yet, or dup2() would overwrite it.
[[nodiscard]] Result<Fd> above_stdio(Fd fd);

// A pidfd of the calling process. Another process that receives it can wait for our exit, even from
// another pid namespace.
[[nodiscard]] Result<Fd> open_own_process();

// Writes all bytes to a memfd at its current offset. Reaching RLIMIT_FSIZE is an error and raises
// no SIGXFSZ. After an error a part may have been written.
[[nodiscard]] Result<void> write_to_memory(int fd, const void* bytes, std::size_t size);

// A memfd that holds `content`, with its offset at 0. Its size and content are sealed for everyone
// who receives it. Its mode is 0444; since Linux 6.3 it also cannot be made executable.
[[nodiscard]] Result<Fd> sealed_memory_file(const char* name, std::string_view content);

}  // namespace bawn::sys
