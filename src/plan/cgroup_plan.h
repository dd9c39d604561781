// A run's cgroup as the plan has it: limits for everything the command starts together, and where
// they are set.
//
// Only what a cgroup alone can give needs one: memory and processes of the whole tree, a share of
// the processors, and a budget over several runs. Where no cgroup can be made, memory and processes
// fall back to rlimits, unless the policy names the parent: then it insists. Values only;
// linux/run_cgroup.h makes it so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "host/cgroup_place.h"
#include "policy/policy.h"

namespace bawn {

// At most `quota_us` microseconds of processor time in each `period_us`, over all processors
// together.
struct CpuRate {
  std::uint64_t quota_us = 0;
  std::uint64_t period_us = 100'000;
  bool operator==(const CpuRate&) const = default;
};

// For all processes of a cgroup together. What is absent is not limited.
struct CgroupLimits {
  std::optional<std::uint64_t> memory_bytes;  // resident and cached; swap is refused beside it
  std::optional<std::uint64_t> processes;     // tasks: threads count
  std::optional<CpuRate> cpu_rate;
  bool operator==(const CgroupLimits&) const = default;
};

// The controllers that these limits need.
[[nodiscard]] CgroupControllers controllers_for(const CgroupLimits& limits);

// One budget for all runs below a cgroup, which is made if it is missing and stays.
struct CgroupBudget {
  std::string name;  // of that cgroup, below the place
  CgroupLimits total;
};

struct CgroupPlan {
  CgroupPlace place;  // where the run's cgroup is made, or with a budget the one above it
  std::optional<CgroupBudget> budget{};
  std::string name;
  CgroupLimits limits;

  // The run's own directory below one parent of the place.
  [[nodiscard]] std::string directory_below(const CgroupParent& parent) const;
  // The one in which a controller's limits are, and the one with its budget.
  [[nodiscard]] std::string directory_of(CgroupController controller) const;
  [[nodiscard]] std::string budget_directory_of(CgroupController controller) const;
};

// The file that holds a controller's limit; in v1 that of the quota, for processors.
[[nodiscard]] std::string_view limit_file(CgroupVersion version, CgroupController controller);

// What the policy asks of a cgroup, and of find_cgroup_place().
struct CgroupWish {
  CgroupLimits limits;
  std::optional<CgroupBudget> budget{};
  CgroupControllers controllers;      // for both
  std::optional<std::string> parent;  // that the place must be
  bool insists = false;               // nothing runs without it

  [[nodiscard]] bool empty() const { return controllers.empty() && !insists; }
};

[[nodiscard]] CgroupWish cgroup_wish(const Limits& limits);

// The wish at a place, which may lack a controller; the limits it is for are left out then.
[[nodiscard]] CgroupPlan plan_cgroup(const CgroupWish& wish, const CgroupPlace& place,
                                     std::string name);

}  // namespace bawn
