// epoll, level-triggered: a descriptor is reported until it has been handled, so no event is lost.
//
// Remove a descriptor before you close it. close() alone removes it only if no other descriptor, in
// any process, refers to the same open file description. All descriptors here are borrowed.
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

// `tag` is returned in epoll_event.data.u64. Regular files cannot be added (EPERM): they are always
// ready.
[[nodiscard]] Result<void> epoll_add(int epoll, int fd, std::uint32_t events, std::uint64_t tag);
[[nodiscard]] Result<void> epoll_remove(int epoll, int fd);

// Fills `events` and returns how many were filled; 0 after the timeout. A signal also returns 0, so
// that the caller can compute the remaining time before it waits again.
[[nodiscard]] Result<std::size_t> epoll_wait(int epoll, std::span<epoll_event> events,
                                             int timeout_ms);

// Waits until `fd` is readable or at its end, for at most `patience`. Signals do not shorten or
// extend the wait. False after the timeout and if poll() fails.
[[nodiscard]] bool becomes_readable(int fd, std::chrono::milliseconds patience);

}  // namespace bawn::sys
