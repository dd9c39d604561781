// epoll, level-triggered: what is ready stays ready until it was handled, so no event can be lost.
//
// Remove a descriptor before closing it. Closing alone removes it only if no other descriptor, in
// any process, refers to the same open file.
#pragma once

#include <sys/epoll.h>
#include <chrono>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

[[nodiscard]] Result<Fd> epoll_create();

// `tag` comes back in epoll_event.data.u64. Regular files cannot be added (EPERM): they are always
// ready.
[[nodiscard]] Result<void> epoll_add(int epoll, int fd, std::uint32_t events, std::uint64_t tag);
[[nodiscard]] Result<void> epoll_remove(int epoll, int fd);

// How many of `events` were filled. A signal is an answer of 0, since waiting again would need the
// rest of the time.
[[nodiscard]] Result<std::size_t> epoll_wait(int epoll, std::span<epoll_event> events,
                                             int timeout_ms);

// Waits until the file can be read or has ended, for so long at most, whatever signals come
// meanwhile.
[[nodiscard]] bool becomes_readable(int fd, std::chrono::milliseconds patience);

}  // namespace bawn::sys
