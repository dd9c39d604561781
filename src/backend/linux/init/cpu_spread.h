// Moves a new task to another CPU, on machines whose scheduler does not do so.
//
// Linux starts a new task on its parent's CPU. On many virtual machines the task then stays in the
// queue behind its parent although other CPUs are idle, because an idle virtual CPU looks busy to
// the scheduler. The scheduler moves a task at once only if its affinity forbids the CPU it is on.
// This is for speed only: no result is checked and nothing may depend on it.
#pragma once

#include "backend/linux/init/kernel.h"

namespace bawn::init {

// Moves a task that has not run yet off the caller's CPU, if its affinity allows another one, and
// then restores its affinity. The restore can only fail if the host has just removed these CPUs
// from the cpuset; then the kernel has already chosen others.
//
// One effect remains: the affinity is now explicit, so a CPU that the host adds to the cpuset later
// is not used by this task.
//
// Not for a task that has slept. If all CPUs are busy, such a task would wait behind an unrelated
// process instead of behind its parent.
inline void spread_cpu(long task) {
  constexpr unsigned kWordBits = 64;
  std::uint64_t allowed[128];  // bits for 8192 CPUs, the most that Linux supports
  unsigned here = 0;
  const long size = kernel(__NR_sched_getaffinity, task, sizeof allowed, allowed);
  if (size <= 0 || kernel(__NR_getcpu, &here, nullptr, nullptr) < 0) return;
  if (here / kWordBits >= static_cast<unsigned long>(size) / sizeof allowed[0]) return;
  const std::uint64_t bit = std::uint64_t{1} << here % kWordBits;
  std::uint64_t& word = allowed[here / kWordBits];
  if ((word & bit) == 0) return;
  word &= ~bit;
  if (kernel(__NR_sched_setaffinity, task, size, allowed) < 0) return;  // no other CPU is allowed
  word |= bit;
  kernel(__NR_sched_setaffinity, task, size, allowed);
}

}  // namespace bawn::init
