#include "sys/event_poll.h"

#include <poll.h>

#include <algorithm>
#include <cerrno>

#include "sys/call.h"

namespace bawn::sys {

Result<Fd> epoll_create() {
  BAWN_ASSIGN(const int fd,
              checked("epoll_create1", [] { return ::epoll_create1(EPOLL_CLOEXEC); }));
  return Fd(fd);
}

Result<void> epoll_add(int epoll, int fd, std::uint32_t events, std::uint64_t tag) {
  epoll_event event{.events = events, .data = {.u64 = tag}};
  BAWN_TRY(
      checked("epoll_ctl(ADD)", [&] { return ::epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event); }));
  return {};
}

Result<void> epoll_remove(int epoll, int fd) {
  BAWN_TRY(
      checked("epoll_ctl(DEL)", [&] { return ::epoll_ctl(epoll, EPOLL_CTL_DEL, fd, nullptr); }));
  return {};
}

Result<std::size_t> epoll_wait(int epoll, std::span<epoll_event> events, int timeout_ms) {
  const int ready = ::epoll_wait(epoll, events.data(), static_cast<int>(events.size()), timeout_ms);
  if (ready >= 0) return static_cast<std::size_t>(ready);
  const int error = errno;
  if (error == EINTR) return std::size_t{0};
  return system_error(error, "epoll_wait");
}

bool becomes_readable(int fd, std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + patience;
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    pollfd watched = {fd, POLLIN, 0};
    const int ready =
        ::poll(&watched, 1, static_cast<int>(std::max(left.count(), decltype(left.count()){0})));
    if (ready != -1 || errno != EINTR) return ready == 1;
  }
}

}  // namespace bawn::sys
