#include "backend/linux/cgroup/guard.h"

#include "host/setup_error.h"

namespace bawn::linux_ {

Result<CgroupGuard> CgroupGuard::make(const CgroupPlan& plan) {
  std::vector<std::string> directories;
  for (const CgroupParent& parent : plan.place.parents)
    directories.push_back(plan.directory_below(parent));
  BAWN_ASSIGN(CgroupReaper reaper, CgroupReaper::start(directories));
  std::optional<SharedCgroup> budget;
  if (plan.budget) {
    auto shared = ensure_cgroup_parent(plan.place, plan.budget->name, plan.budget->total);
    if (!shared) return judged(shared.error(), judge_cgroup(shared.error().sys_errno));
    budget = std::move(shared).value();
  }
  auto run = make_run_cgroup(budget ? budget->place : plan.place, plan.name, plan.limits);
  if (!run) return judged(run.error(), judge_cgroup(run.error().sys_errno));
  return CgroupGuard(std::move(reaper), std::move(run).value(), std::move(budget));
}

CgroupSummary CgroupGuard::summary() const {
  CgroupSummary summary{
      .version = run_.version, .in_force = run_.in_force, .counts = run_.counts()};
  // In v1 each controller has a directory; only that of the memory controller gives a number.
  if (run_.version == CgroupVersion::v1) {
    for (const CgroupDirectory& one : run_.directories) {
      if (const auto met = legacy_limit_met(one.directory())) summary.counts.own_limit_met = met;
    }
  }
  if (budget_) {
    summary.budget = budget_->in_force;
    summary.budget_at_end = read_shared_limits(budget_->place, budget_->in_force.limits);
  }
  return summary;
}

}  // namespace bawn::linux_
