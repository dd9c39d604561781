// Records when each step of init and of the command's process ended, for `--timing`.
//
// Without timing this costs one branch a step. No decision depends on the recorded times.
// monotonic_ns() is also the clock of the run's deadline.
#pragma once

#include <time.h>

#include "backend/linux/init/kernel.h"
#include "backend/linux/wire/messages.h"

namespace bawn::init {

// CLOCK_MONOTONIC in nanoseconds; 0 if the call is refused.
inline std::uint64_t monotonic_ns() {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  struct timespec now = {};
  if (kernel(__NR_clock_gettime, CLOCK_MONOTONIC, &now) < 0) return 0;
  return static_cast<std::uint64_t>(now.tv_sec) * kSecond + static_cast<std::uint64_t>(now.tv_nsec);
}

// `step_times` is indexed by Step, and null if timing was not requested. After Step::seccomp the
// command's filter applies: if it refuses clock_gettime, the step's time is 0.
inline void record_time(std::uint64_t* step_times, Step step) {
  if (step_times != nullptr) step_times[static_cast<std::uint32_t>(step)] = monotonic_ns();
}

}  // namespace bawn::init
