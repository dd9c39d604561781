#include "backend/linux/init/priority.h"

#include <fcntl.h>
#include <linux/sched.h>
#include <sys/resource.h>

#include "backend/linux/init/kernel.h"
#include "backend/linux/init/opened.h"

namespace bawn::init {
namespace {

bool is_ahead(long policy) {
  const long plain = policy & ~static_cast<long>(SCHED_RESET_ON_FORK);
  return plain == SCHED_FIFO || plain == SCHED_RR || plain == SCHED_DEADLINE;
}

long leave_real_time() {
  const long policy = kernel(__NR_sched_getscheduler, 0);
  if (policy < 0 || !is_ahead(policy)) return policy;
  const int no_priority = 0;  // struct sched_param has this one member
  if (const long error = kernel(__NR_sched_setscheduler, 0, SCHED_NORMAL, &no_priority); error < 0)
    return error;
  return is_ahead(kernel(__NR_sched_getscheduler, 0)) ? kEperm : 0;
}

// The system call returns 20 - nice, which is never negative; a nice value below 0 is more than 20.
long lose_negative_niceness() {
  constexpr long kNone = 20;
  const long found = kernel(__NR_getpriority, PRIO_PROCESS, 0);
  if (found <= kNone) return found;
  if (const long error = kernel(__NR_setpriority, PRIO_PROCESS, 0, 0); error < 0) return error;
  return kernel(__NR_getpriority, PRIO_PROCESS, 0) <= kNone ? 0 : kEperm;
}

// IOPRIO_WHO_PROCESS, and IOPRIO_CLASS_RT in the class bits; not every host has <linux/ioprio.h>.
constexpr int kWhoProcess = 1;
bool is_first_at_disks(long priority) { return priority >> 13 == 1; }

long leave_real_time_of_disks() {
  const long found = kernel(__NR_ioprio_get, kWhoProcess, 0);
  if (found < 0 || !is_first_at_disks(found)) return found;
  if (const long error = kernel(__NR_ioprio_set, kWhoProcess, 0, 0); error < 0) return error;
  return is_first_at_disks(kernel(__NR_ioprio_get, kWhoProcess, 0)) ? kEperm : 0;
}

// Up to these rlimits a process without privileges may raise its priority again.
long forbid_raising(unsigned resource) {
  const struct rlimit64 none = {0, 0};
  struct rlimit64 now = {1, 1};
  if (const long error = kernel(__NR_prlimit64, 0, resource, &none, nullptr); error < 0)
    return error;
  if (const long error = kernel(__NR_prlimit64, 0, resource, nullptr, &now); error < 0)
    return error;
  return now.rlim_cur == 0 && now.rlim_max == 0 ? 0 : kEperm;
}

constexpr char kScore[] = "/proc/self/oom_score_adj";

// 1 if oom_score_adj is negative: the OOM killer then prefers other processes.
long is_spared() {
  const Opened file(kernel(__NR_openat, AT_FDCWD, kScore, O_RDONLY | O_CLOEXEC, 0));
  if (file.failed()) return file.error();
  char sign = 0;
  const long got = kernel(__NR_read, file.get(), &sign, 1);
  if (got < 0) return got;
  return sign == '-' ? 1 : 0;
}

long be_spared_no_longer() {
  const long spared = is_spared();
  if (spared <= 0) return spared;
  const Opened file(kernel(__NR_openat, AT_FDCWD, kScore, O_WRONLY | O_CLOEXEC, 0));
  if (file.failed()) return file.error();
  if (const long error = kernel(__NR_write, file.get(), "0", 1); error < 0) return error;
  const long still = is_spared();
  return still == 1 ? kEperm : still;
}

}  // namespace

long give_up_priority() {
  if (const long error = leave_real_time(); error < 0) return error;
  if (const long error = lose_negative_niceness(); error < 0) return error;
  if (const long error = leave_real_time_of_disks(); error < 0) return error;
  if (const long error = forbid_raising(RLIMIT_RTPRIO); error < 0) return error;
  if (const long error = forbid_raising(RLIMIT_NICE); error < 0) return error;
  return be_spared_no_longer();
}

}  // namespace bawn::init
