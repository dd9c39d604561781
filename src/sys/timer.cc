#include "sys/timer.h"

#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>

#include "sys/call.h"

namespace bawn::sys {
namespace {

Result<void> set_time(int timer, std::chrono::nanoseconds value) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(value);
  itimerspec spec{};
  spec.it_value.tv_sec = seconds.count();
  spec.it_value.tv_nsec = (value - seconds).count();
  BAWN_TRY(checked("timerfd_settime", [&] { return ::timerfd_settime(timer, 0, &spec, nullptr); }));
  return {};
}

}  // namespace

Result<Fd> timer_create() {
  BAWN_ASSIGN(const int fd, checked("timerfd_create", [] {
                return ::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
              }));
  return Fd(fd);
}

Result<void> timer_arm(int timer, std::chrono::nanoseconds delay) {
  // A value of zero would disarm the timer.
  return set_time(timer, std::max(delay, std::chrono::nanoseconds(1)));
}

Result<void> timer_disarm(int timer) { return set_time(timer, std::chrono::nanoseconds(0)); }

Result<bool> timer_fired(int timer) {
  std::uint64_t expirations = 0;
  const auto got = retried([&] { return ::read(timer, &expirations, sizeof expirations); });
  if (got == sizeof expirations) return true;
  const int error = errno;
  if (error == EAGAIN) return false;
  return system_error(error, "read timerfd");
}

}  // namespace bawn::sys
