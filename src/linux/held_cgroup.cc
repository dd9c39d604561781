#include "linux/held_cgroup.h"

namespace bawn {

Result<HeldCgroup> HeldCgroup::make(const PlannedCgroup& planned) {
  std::vector<std::string> directories;
  for (const CgroupParent& parent : planned.place.parents)
    directories.push_back(planned.directory_below(parent));
  BAWN_ASSIGN(Sweeper sweeper, Sweeper::start(directories));
  CgroupPlace place = planned.place;
  std::optional<CgroupReadback> budget;
  if (planned.budget) {
    BAWN_ASSIGN(SharedCgroup shared,
                ensure_cgroup_parent(planned.place, planned.budget->name, planned.budget->total));
    place = std::move(shared.place);
    budget = shared.in_force;
  }
  BAWN_ASSIGN(RunCgroup run, make_run_cgroup(place, planned.name, planned.limits));
  return HeldCgroup(std::move(sweeper), std::move(run), budget);
}

CgroupRecord HeldCgroup::record() const { return {run_.version, run_.in_force, budget_, run_.counts()}; }

}  // namespace bawn
