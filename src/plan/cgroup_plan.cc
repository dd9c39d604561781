#include "plan/cgroup_plan.h"

#include <algorithm>

#include "base/text.h"

namespace bawn {
namespace {

const CgroupParent* parent_with(const CgroupPlace& place, CgroupController one) {
  for (const CgroupParent& parent : place.parents) {
    if (holds(parent.controllers, one)) return &parent;
  }
  return nullptr;
}

bool offers(const CgroupPlace& place, CgroupController one) {
  return parent_with(place, one) != nullptr;
}

std::optional<CpuRate> rate_of(const Limit& percent) {
  if (!percent) return std::nullopt;
  CpuRate rate;
  rate.quota_us = *percent * rate.period_us / 100;
  return rate;
}

// The budget's cgroup is the directory that the policy names, so the CgroupPlace is its parent.
void split_parent(const std::string& directory, CgroupWish& wish) {
  const std::size_t slash = directory.rfind('/');
  wish.parent = slash == 0 ? "/" : directory.substr(0, slash);
  wish.budget->name = directory.substr(slash + 1);
}

void add_controllers(const CgroupLimits& limits, CgroupControllers& controllers) {
  for (const CgroupController one : controllers_for(limits)) {
    if (!holds(controllers, one)) controllers.push_back(one);
  }
}

}  // namespace

CgroupControllers controllers_for(const CgroupLimits& limits) {
  CgroupControllers controllers;
  if (limits.memory_bytes) controllers.push_back(CgroupController::memory);
  if (limits.processes) controllers.push_back(CgroupController::pids);
  if (limits.cpu_rate) controllers.push_back(CgroupController::cpu);
  return controllers;
}

std::string CgroupPlan::directory_below(const CgroupParent& parent) const {
  return budget ? concat(parent.directory, "/", budget->name, "/", name)
                : concat(parent.directory, "/", name);
}

std::string CgroupPlan::directory_of(CgroupController controller) const {
  const CgroupParent* parent = parent_with(place, controller);
  return parent == nullptr ? "" : directory_below(*parent);
}

std::string CgroupPlan::budget_directory_of(CgroupController controller) const {
  const CgroupParent* parent = parent_with(place, controller);
  return parent == nullptr || !budget ? "" : concat(parent->directory, "/", budget->name);
}

std::string_view limit_file(CgroupVersion version, CgroupController controller) {
  const bool v2 = version == CgroupVersion::v2;
  switch (controller) {
    case CgroupController::memory:
      return v2 ? "memory.max" : "memory.limit_in_bytes";
    case CgroupController::pids:
      return "pids.max";
    case CgroupController::cpu:
      return v2 ? "cpu.max" : "cpu.cfs_quota_us";
  }
  return "";
}

CgroupWish cgroup_wish(const Limits& limits) {
  CgroupWish wish{.limits = {limits.memory_bytes, limits.processes, rate_of(limits.cpu_percent)},
                  .controllers = {},
                  .parent = {},
                  .insists = !limits.cgroup_parent.empty()};
  if (limits.total_memory_bytes || limits.total_processes) {
    wish.budget = CgroupBudget{"", {limits.total_memory_bytes, limits.total_processes, {}}};
    split_parent(limits.cgroup_parent, wish);
    add_controllers(wish.budget->total, wish.controllers);
  } else if (wish.insists) {
    wish.parent = limits.cgroup_parent;
  }
  add_controllers(wish.limits, wish.controllers);
  return wish;
}

CgroupPlan plan_cgroup(const CgroupWish& wish, const CgroupPlace& place, std::string name) {
  CgroupPlan plan{
      .place = place, .budget = wish.budget, .name = std::move(name), .limits = wish.limits};
  if (!offers(place, CgroupController::memory)) plan.limits.memory_bytes.reset();
  if (!offers(place, CgroupController::pids)) plan.limits.processes.reset();
  if (!offers(place, CgroupController::cpu)) plan.limits.cpu_rate.reset();
  return plan;
}

}  // namespace bawn
