// Memory limits that hold for a run and are not its own: those of a batch system, a container, a
// pod, a session.
//
// The kernel counts for each cgroup how many of its processes it has killed for want of memory, and
// how often the limit was met; it does not tell whom a kill was for. So the counters are read when
// the run begins and once more if its command was killed by SIGKILL and bawn did not do it: what
// rose meanwhile is evidence, and is told as such.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/cgroup_place.h"
#include "plan/cgroup_plan.h"
#include "policy/policy.h"

namespace bawn {

struct LimitedCgroup {
  std::string directory;
  Limit memory_bytes;
  std::optional<std::uint64_t> limit_met;  // how often
};

struct OuterMemory {
  std::optional<std::uint64_t> kills;  // of processes in the innermost cgroup that can be seen
  std::vector<LimitedCgroup> limited;  // innermost first; those that can be seen
};

// The cgroups around the run: above its own if that limits or counts memory, else from the one that
// bawn is in.
[[nodiscard]] OuterMemory read_outer_memory(const CgroupView& view,
                                            const std::optional<CgroupPlan>& plan);

struct OuterKill {
  std::uint64_t kills = 0;
  std::string directory;  // whose limit was met meanwhile; "" if none that can be seen
  Limit memory_bytes;     // that limit
};

// What was counted between the two. `own_kills` is what the run's own cgroup has counted: if it
// counts, it knows better than the ones around it, in which others live too.
[[nodiscard]] std::optional<OuterKill> find_outer_kill(
    const OuterMemory& before, const OuterMemory& after,
    const std::optional<std::uint64_t>& own_kills);

}  // namespace bawn
