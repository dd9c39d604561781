#include "backend/posix/event_set.h"
#include "sys/event_poll.h"
#include "sys/timer.h"

namespace bawn::posix {

Result<EventSet> EventSet::create() {
  BAWN_ASSIGN(Fd set, sys::epoll_create());
  BAWN_ASSIGN(Fd timer, sys::timer_create());
  BAWN_TRY(sys::epoll_add(set.get(), timer.get(), EPOLLIN, 0));
  return EventSet(std::move(set), std::move(timer));
}

// All are removed and added again: a number may be another file by now, which the kernel does not
// watch.
Result<void> EventSet::watch(std::span<const pollfd> wanted) {
  for (const pollfd& each : watched_) static_cast<void>(sys::epoll_remove(set_.get(), each.fd));
  watched_.clear();
  for (const pollfd& each : wanted) {
    if (each.fd < 0) continue;
    const std::uint32_t events = each.events == POLLIN ? EPOLLIN : EPOLLOUT;
    const auto added = sys::epoll_add(set_.get(), each.fd, events, 0);
    // Stdout and stderr may be relayed to one descriptor; waiting for it once is enough.
    if (!added && added.error().sys_errno != EEXIST) return added.error();
    if (added) watched_.push_back(each);
  }
  return {};
}

Result<void> EventSet::wake_at(Moment moment) {
  if (!moment) return sys::timer_disarm(timer_.get());
  return sys::timer_arm(timer_.get(), *moment - std::chrono::steady_clock::now());
}

}  // namespace bawn::posix
