// Work that is to go on side by side, on a machine whose scheduler does not see to that.
//
// Linux starts a new task on its parent's processor, and on many virtual machines leaves it there,
// behind the parent, while others idle: an idle processor of theirs looks taken. Only a task that
// is not allowed where it is gets moved.
#pragma once

#include "linux/init/kernel.h"

namespace bawn::init {

// Moves a task that has not run yet to another processor, if it may use one, and then lets it go
// where it may as before. Should the second call fail, those processors have just been taken from
// all of us. For speed only: nothing is asked back. One trace is left: a processor that the host
// adds to a cpuset later is none of this task's. Not for a task that has slept: where all
// processors are busy, it would come behind a stranger instead of its parent.
inline void spread_cpu(long task) {
  constexpr unsigned kWordBits = 64;
  std::uint64_t allowed[128];  // the largest machine has 8192
  unsigned here = 0;
  const long size = kernel(__NR_sched_getaffinity, task, sizeof allowed, allowed);
  if (size <= 0 || kernel(__NR_getcpu, &here, nullptr, nullptr) < 0) return;
  if (here / kWordBits >= static_cast<unsigned long>(size) / sizeof allowed[0]) return;
  const std::uint64_t bit = std::uint64_t{1} << here % kWordBits;
  std::uint64_t& word = allowed[here / kWordBits];
  if ((word & bit) == 0) return;
  word &= ~bit;
  if (kernel(__NR_sched_setaffinity, task, size, allowed) < 0) return;  // there is no other
  word |= bit;
  kernel(__NR_sched_setaffinity, task, size, allowed);
}

}  // namespace bawn::init
