// One-shot timers (timerfd) that epoll can wait for.
//
// They use CLOCK_MONOTONIC, which cannot be set, so a change of the system time neither fires nor
// delays them. The descriptor is borrowed by every function but timer_create().
#pragma once

#include <chrono>
#include <cstdint>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

// A non-blocking, disarmed timer.
[[nodiscard]] Result<Fd> timer_create();

// Fires once after `delay` and replaces an earlier setting. A delay of zero or less fires at once.
[[nodiscard]] Result<void> timer_arm(int timer, std::chrono::nanoseconds delay);
// An expiration that was not read yet is dropped as well.
[[nodiscard]] Result<void> timer_disarm(int timer);

// True if the timer has fired since it was armed or since the last call. Reading resets it: the
// descriptor is not readable afterwards.
[[nodiscard]] Result<bool> timer_fired(int timer);

}  // namespace bawn::sys
