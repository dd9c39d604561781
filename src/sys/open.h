// Opening, duplicating and filling files.
#pragma once

#include <string_view>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

// `flags` as for open(2), without O_CREAT; O_CLOEXEC is added. For paths this program chose itself.
[[nodiscard]] Result<Fd> open(const char* path, int flags);

// A second descriptor, 3 or higher, for the same open file: offset and O_NONBLOCK are shared with
// the first.
[[nodiscard]] Result<Fd> duplicate(int fd);

// The same open file at 3 or higher. A program that was started with 0, 1 or 2 closed gets those
// numbers for whatever it opens first; a descriptor that is to become a child's 0, 1 or 2 must not
// already be one of them.
[[nodiscard]] Result<Fd> above_stdio(Fd fd);

// A pidfd of this process: what somebody who outlives it can wait for, from any namespace.
[[nodiscard]] Result<Fd> open_own_process();

// All of it, at the file's offset, into a file in memory.
[[nodiscard]] Result<void> write_to_memory(int fd, const void* bytes, std::size_t size);

// A file in memory that holds `content`, stands at offset 0, and can be read by whoever gets it,
// but neither changed nor (from Linux 6.3 on) executed.
[[nodiscard]] Result<Fd> sealed_memory_file(const char* name, std::string_view content);

}  // namespace bawn::sys
