#include "linux/held_cgroup.h"

namespace bawn {

Result<HeldCgroup> HeldCgroup::make(const PlannedCgroup& planned) {
  std::vector<std::string> directories;
  for (const CgroupParent& parent : planned.place.parents)
    directories.push_back(planned.directory_below(parent));
  BAWN_ASSIGN(Sweeper sweeper, Sweeper::start(directories));
  std::optional<SharedCgroup> budget;
  if (planned.budget) {
    BAWN_ASSIGN(budget, ensure_cgroup_parent(planned.place, planned.budget->name, planned.budget->total));
  }
  BAWN_ASSIGN(RunCgroup run,
              make_run_cgroup(budget ? budget->place : planned.place, planned.name, planned.limits));
  return HeldCgroup(std::move(sweeper), std::move(run), std::move(budget));
}

CgroupRecord HeldCgroup::record() const {
  CgroupRecord record{.version = run_.version, .in_force = run_.in_force, .counts = run_.counts()};
  if (budget_) {
    record.budget = budget_->in_force;
    record.budget_at_end = read_shared_limits(budget_->place, budget_->in_force.limits);
  }
  return record;
}

}  // namespace bawn
