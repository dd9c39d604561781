// The cgroup of a run: limits for all of its processes together, and the directories in which they
// are set.
//
// A run needs a cgroup only for what rlimits cannot do: memory and processes of the whole tree, a
// CPU rate, and a budget shared by several runs. If no cgroup can be made, memory and processes
// fall back to rlimits, unless the policy names the parent: then the run is refused. Values only;
// backend/linux/cgroup/run_cgroup.h creates the cgroup.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/cgroup_place.h"
#include "policy/limit.h"

namespace bawn {

// At most `quota_us` microseconds of CPU time in each `period_us`, summed over all CPUs.
struct CpuRate {
  std::uint64_t quota_us = 0;
  std::uint64_t period_us = 100'000;
  bool operator==(const CpuRate&) const = default;
};

// Limits for all processes of a cgroup together. An empty member means no limit.
struct CgroupLimits {
  std::optional<std::uint64_t> memory_bytes;  // resident and page cache; swap is disabled with it
  std::optional<std::uint64_t> processes;     // tasks: threads count too
  std::optional<CpuRate> cpu_rate;
  bool operator==(const CgroupLimits&) const = default;
};

// The controllers that these limits need.
[[nodiscard]] CgroupControllers controllers_for(const CgroupLimits& limits);

// Limits shared by all runs below one cgroup. That cgroup is made if it is missing, and it is not
// removed.
struct CgroupBudget {
  std::string name;  // directory name, below the CgroupPlace
  CgroupLimits total;
};

struct CgroupPlan {
  CgroupPlace place;  // parent of the run's cgroup, or of the budget's if there is one
  std::optional<CgroupBudget> budget{};
  std::string name;
  CgroupLimits limits;

  // The run's directory below one parent of the place.
  [[nodiscard]] std::string directory_below(const CgroupParent& parent) const;
  // The directory that holds a controller's limit, and the one that holds its budget; "" if there
  // is none.
  [[nodiscard]] std::string directory_of(CgroupController controller) const;
  [[nodiscard]] std::string budget_directory_of(CgroupController controller) const;
};

// The file that holds a controller's limit; for cpu in v1, its quota.
[[nodiscard]] std::string_view limit_file(CgroupVersion version, CgroupController controller);

// What the policy asks for; input of find_cgroup_place() and plan_cgroup().
struct CgroupWish {
  CgroupLimits limits;
  std::optional<CgroupBudget> budget{};
  CgroupControllers controllers;      // for limits and budget
  std::optional<std::string> parent;  // required parent directory, if the policy names one
  bool insists = false;               // refuse the run if no cgroup can be made

  [[nodiscard]] bool empty() const { return controllers.empty() && !insists; }
};

[[nodiscard]] CgroupWish cgroup_wish(const Limits& limits);

// Plans the wish at `place`. Limits whose controller the place lacks are left out.
[[nodiscard]] CgroupPlan plan_cgroup(const CgroupWish& wish, const CgroupPlace& place,
                                     std::string name);

}  // namespace bawn
