// Memory limits that apply to a run but were not set by bawn: those of a batch system, a container,
// a pod or a login session.
//
// The kernel counts for each cgroup how many processes the OOM killer killed and how often the
// limit was met. It does not say which process was killed for which limit. So the counters are read
// when the run begins, and again if the command died of a SIGKILL that bawn did not send. Counters
// that rose in between are evidence, not proof, and are reported as such.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/cgroup_place.h"
#include "plan/cgroup_plan.h"
#include "policy/limit.h"

namespace bawn::linux_ {

// A cgroup with a memory limit.
struct LimitedCgroup {
  std::string directory;
  Limit memory_bytes;
  std::optional<std::uint64_t> limit_met;  // how often; absent if the kernel does not say
};

struct OuterMemory {
  std::optional<std::uint64_t> kills;  // in the innermost visible cgroup that counts them
  std::vector<LimitedCgroup> limited;  // visible ones, innermost first
};

// Reads the cgroups around the run: those above the run's cgroup if that one has the memory
// controller, otherwise bawn's cgroup and those above it. Files that cannot be read are left out.
[[nodiscard]] OuterMemory read_outer_memory(const CgroupView& view,
                                            const std::optional<CgroupPlan>& plan);

struct OuterKill {
  std::uint64_t kills = 0;
  std::string directory;  // cgroup whose limit was met in between; "" if none is visible
  Limit memory_bytes;     // that limit
};

// Compares the counters before and after; none if no process was killed. `own_kills` is the count
// of the run's cgroup. If present it is used instead of the outer count, because other processes
// live in the outer cgroups too.
[[nodiscard]] std::optional<OuterKill> find_outer_kill(
    const OuterMemory& before, const OuterMemory& after,
    const std::optional<std::uint64_t>& own_kills);

}  // namespace bawn::linux_
