// When each step of init and of the command's process ended, for a caller who asked. Otherwise a
// branch a step.
#pragma once

#include <time.h>

#include "linux/init/kernel.h"
#include "linux/init/messages.h"

namespace bawn::init {

// 0 if the kernel refuses to tell.
inline std::uint64_t monotonic_ns() {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  struct timespec now = {};
  if (kernel(__NR_clock_gettime, CLOCK_MONOTONIC, &now) < 0) return 0;
  return static_cast<std::uint64_t>(now.tv_sec) * kSecond + static_cast<std::uint64_t>(now.tv_nsec);
}

// `step_times` is indexed by Step, null if nobody asked. After seccomp the profile has a say: one
// that refuses the clock leaves the step without a time.
inline void record_time(std::uint64_t* step_times, Step step) {
  if (step_times != nullptr) step_times[static_cast<std::uint32_t>(step)] = monotonic_ns();
}

}  // namespace bawn::init
