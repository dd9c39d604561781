// write(2) that returns EPIPE without raising SIGPIPE.
//
// bawn may be a library in another program, so it must not change the disposition of SIGPIPE.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace bawn::posix {

// Like write(2); restarted after EINTR.
[[nodiscard]] ssize_t write_quietly(int fd, std::string_view bytes);

}  // namespace bawn::posix
