// Plans and their parts, for tests.
#pragma once

#include "plan/plan.h"

namespace bawn::test {

// The part of one boundary, for writing. If the plan has another, it gets an empty one.
template <class Part>
Part& part_of(Plan& plan) {
  if (plan.part<Part>() == nullptr) plan.by_boundary = Part{};
  return std::get<Part>(plan.by_boundary);
}

inline RootPlan& root_of(Plan& plan) { return part_of<NamespacesPlan>(plan).root; }
inline const RootPlan& root_of(const Plan& plan) {
  return std::get<NamespacesPlan>(plan.by_boundary).root;
}

// The set-up of a run in this tier; none if it has no root of its own.
inline std::optional<SetupPlan> setup_of(const Policy& policy, Tier tier, const HostFacts& host) {
  if (host.boundary(tier) != Boundary::namespaces) return std::nullopt;
  return plan_setup(policy, host);
}

// plan_run() with the set-up that goes with policy, tier and host.
inline PlanResult planned(const Policy& policy, const Request& request, const Verdict& verdict,
                          Tier tier, const RunIdentity& identity, const HostFacts& host,
                          const PathLookup& lookup, LimitFacts limits = {}) {
  const std::optional<SetupPlan> setup = setup_of(policy, tier, host);
  if (limits.cgroup_reason.empty()) limits.cgroup_reason = host.cgroup_reason;
  return plan_run({.policy = policy,
                   .request = request,
                   .verdict = verdict,
                   .tier = tier,
                   .identity = identity,
                   .host = host,
                   .limits = limits,
                   .setup = setup ? &*setup : nullptr,
                   .lookup = lookup});
}

}  // namespace bawn::test
