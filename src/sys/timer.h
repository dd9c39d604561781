// One-shot timers that an epoll can wait for (timerfd on the monotonic clock, which no one can set
// back).
#pragma once

#include <chrono>
#include <cstdint>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::sys {

// Non-blocking and not armed.
[[nodiscard]] Result<Fd> timer_create();

// Fires once after `delay`, instead of whatever it was armed for. A delay of zero or less fires at
// once.
[[nodiscard]] Result<void> timer_arm(int timer, std::chrono::nanoseconds delay);
[[nodiscard]] Result<void> timer_disarm(int timer);

// Whether it has fired since it was armed or last asked; afterwards it is no longer readable.
[[nodiscard]] Result<bool> timer_fired(int timer);

}  // namespace bawn::sys
