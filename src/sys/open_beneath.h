// Opens a file below a directory in which a command may have put anything.
//
// No link is followed unless the function says so, nothing above the directory is reached, and no
// FIFO or device can block: on Linux by openat2 where the kernel has it, else component by
// component.
#pragma once

#include <fcntl.h>

#include <string_view>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

// Opens a directory for look-ups alone: permission to search it is enough. Without O_PATH it has to
// be readable as well.
#ifdef O_PATH
inline constexpr int kSearch = O_PATH | O_DIRECTORY;
#else
inline constexpr int kSearch = O_RDONLY | O_DIRECTORY;
#endif

// `path` is relative, without ".."; "" is the directory itself. `flags` as for open(2), for reading
// only; O_CLOEXEC, O_NONBLOCK, O_NOCTTY and O_NOFOLLOW are added.
[[nodiscard]] Result<Fd> open_beneath(int directory, std::string_view path, int flags);

// The same, but links are followed as long as every one of them stays below the directory: EXDEV if
// one leads out. ENOSYS where the kernel has no openat2.
[[nodiscard]] Result<Fd> open_beneath_through_links(int directory, std::string_view path,
                                                    int flags);

}  // namespace bawn::sys
