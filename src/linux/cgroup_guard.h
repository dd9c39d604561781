// A run's cgroup from before it exists until nothing of it is left, whatever becomes of this
// process meanwhile.
#pragma once

#include "base/result.h"
#include "linux/cgroup_reaper.h"
#include "linux/run_cgroup.h"
#include "plan/cgroup_plan.h"

namespace bawn {

// What the receipt tells about it.
struct CgroupSummary {
  CgroupVersion version = CgroupVersion::v2;
  CgroupReadback in_force;
  std::optional<CgroupReadback> budget;  // of the cgroup above, read back as well
  CgroupLimits budget_at_end;            // the same: other runs may have set another
  CgroupCounts counts;                   // at the end
};

class CgroupGuard {
 public:
  // The cgroup reaper first, then the budget's cgroup, then the run's own with its limits.
  [[nodiscard]] static Result<CgroupGuard> make(const CgroupPlan& plan);

  [[nodiscard]] const RunCgroup& run() const { return run_; }
  // Once the tree is gone.
  [[nodiscard]] CgroupSummary summary() const;

 private:
  CgroupGuard(CgroupReaper reaper, RunCgroup run, std::optional<SharedCgroup> budget)
      : reaper_(std::move(reaper)), run_(std::move(run)), budget_(std::move(budget)) {}

  CgroupReaper reaper_;  // goes after the cgroup, and so has nothing left to do
  RunCgroup run_;
  std::optional<SharedCgroup> budget_;
};

}  // namespace bawn
