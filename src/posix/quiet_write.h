// write(2) without being killed for it: a reader that is gone is an answer (EPIPE), not a signal.
//
// This program may be a library inside another, so it changes no disposition.
#pragma once

#include <sys/types.h>

#include <string_view>

namespace bawn::posix {

// As write(2), repeated while a signal interrupts it.
[[nodiscard]] ssize_t write_quietly(int fd, std::string_view bytes);

}  // namespace bawn::posix
