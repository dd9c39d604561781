#include "backend/linux/launch/run_events.h"

#include <array>

#include "sys/event_poll.h"
#include "sys/timer.h"

namespace bawn::linux_ {

Result<RunEvents> RunEvents::create() {
  BAWN_ASSIGN(Fd epoll, sys::epoll_create());
  BAWN_ASSIGN(Fd timer, sys::timer_create());
  RunEvents events(std::move(epoll), std::move(timer));
  BAWN_TRY(events.watch(events.timer_.get(), Source::timer));
  return events;
}

Result<void> RunEvents::watch(int fd, Source source) {
  return sys::epoll_add(epoll_.get(), fd, EPOLLIN, static_cast<std::uint64_t>(source));
}

Result<void> RunEvents::forget(int fd) { return sys::epoll_remove(epoll_.get(), fd); }

Result<void> RunEvents::wake_at(Supervisor::Moment moment) {
  if (moment == wakes_at_) return {};
  wakes_at_ = moment;
  if (!moment) return sys::timer_disarm(timer_.get());
  return sys::timer_arm(timer_.get(), *moment - Supervisor::Clock::now());
}

Result<std::vector<RunEvents::Source>> RunEvents::ready() {
  std::array<epoll_event, 8> events{};
  BAWN_ASSIGN(const std::size_t count, sys::epoll_wait(epoll_.get(), events, 0));
  std::vector<Source> sources;
  for (std::size_t i = 0; i < count; ++i) {
    sources.push_back(static_cast<Source>(events[i].data.u64));
    if (sources.back() != Source::timer) continue;
    BAWN_TRY(sys::timer_fired(timer_.get()));
    wakes_at_.reset();
  }
  return sources;
}

}  // namespace bawn::linux_
