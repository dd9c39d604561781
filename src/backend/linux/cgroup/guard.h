// Owns a run's cgroup, and makes sure that it is removed even if bawn is killed.
//
// A cgroup reaper process is started before the first directory is made (cgroup_reaper.h). The
// destructor removes the run's directories, then ends the reaper. The budget's cgroup, which other
// runs share, is left in place. Destroy the guard after the process tree has ended: the kernel
// refuses to remove a cgroup that still has processes, and the reaper then stays behind to do it.
#pragma once

#include "backend/linux/cgroup/reaper.h"
#include "backend/linux/cgroup/run_cgroup.h"
#include "base/result.h"
#include "plan/cgroup_plan.h"

namespace bawn::linux_ {

// The facts about the cgroup that the receipt reports.
struct CgroupSummary {
  CgroupVersion version = CgroupVersion::v2;
  CgroupReadback in_force;
  std::optional<CgroupReadback> budget;  // limits of the shared cgroup above, read back
  // The same limits, read again at the end: another run may have set other values.
  CgroupLimits budget_at_end;
  CgroupCounts counts;  // read at the end
};

class CgroupGuard {
 public:
  // Starts the reaper, then makes the budget's cgroup, then the run's cgroup with its limits. A
  // failure removes the run's directories and ends the reaper; the budget's cgroup and switched-on
  // controllers remain. ErrorKind::unsupported if this host can never give the cgroup.
  [[nodiscard]] static Result<CgroupGuard> make(const CgroupPlan& plan);

  [[nodiscard]] const RunCgroup& run() const { return run_; }
  // Reads the counters. Call it after the process tree has ended.
  [[nodiscard]] CgroupSummary summary() const;

 private:
  CgroupGuard(CgroupReaper reaper, RunCgroup run, std::optional<SharedCgroup> budget)
      : reaper_(std::move(reaper)), run_(std::move(run)), budget_(std::move(budget)) {}

  CgroupReaper reaper_;  // destroyed last, when there is nothing left to remove
  RunCgroup run_;
  std::optional<SharedCgroup> budget_;
};

}  // namespace bawn::linux_
