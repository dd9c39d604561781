#include <sys/event.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "backend/posix/event_set.h"
#include "sys/call.h"

namespace bawn::posix {
namespace {

constexpr uintptr_t kTimer = 1;

int change(int set, uintptr_t what, int16_t filter, uint16_t flags, uint32_t unit = 0,
           intptr_t data = 0) {
  struct kevent wanted {};
  EV_SET(&wanted, what, filter, flags, unit, data, nullptr);
  return ::kevent(set, &wanted, 1, nullptr, 0, nullptr);
}

int16_t filter_of(const pollfd& each) {
  return static_cast<int16_t>(each.events == POLLIN ? EVFILT_READ : EVFILT_WRITE);
}

}  // namespace

Result<EventSet> EventSet::create() {
  BAWN_ASSIGN(const int set, sys::checked("kqueue", [] { return ::kqueue(); }));
  return EventSet(Fd(set), Fd());
}

// All are removed and added again: a number may be another file by now, which the kernel does not
// watch. Adding one twice is harmless.
Result<void> EventSet::watch(std::span<const pollfd> wanted) {
  for (const pollfd& each : watched_)
    change(set_.get(), static_cast<uintptr_t>(each.fd), filter_of(each), EV_DELETE);
  watched_.clear();
  for (const pollfd& each : wanted) {
    if (each.fd < 0) continue;
    BAWN_TRY(sys::checked("kevent", [&] {
      return change(set_.get(), static_cast<uintptr_t>(each.fd), filter_of(each), EV_ADD);
    }));
    watched_.push_back(each);
  }
  return {};
}

Result<void> EventSet::wake_at(Moment moment) {
  // Also drops a timer that has fired: the queue would stay readable.
  if (change(set_.get(), kTimer, EVFILT_TIMER, EV_DELETE) == -1 && errno != ENOENT)
    return system_error(errno, "kevent");
  if (!moment) return {};
  const auto left = std::chrono::duration_cast<std::chrono::nanoseconds>(
                        *moment - std::chrono::steady_clock::now())
                        .count();
  BAWN_TRY(sys::checked("kevent", [&] {
    return change(set_.get(), kTimer, EVFILT_TIMER, EV_ADD, NOTE_NSECONDS,
                  static_cast<intptr_t>(std::max<long long>(left, 1)));
  }));
  return {};
}

}  // namespace bawn::posix
