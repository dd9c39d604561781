#include "fixture_policy.h"

#include "fixture.h"
#include "policy/policy.h"
#include "policy/preset.h"

namespace bawn {

FixturePolicy::FixturePolicy(const Policy& policy)
    : policy_(std::make_unique<Policy>(policy)),
      tier(policy_->tier),
      workspace(policy_->workspace),
      filesystem(policy_->filesystem),
      executables(policy_->executables),
      arguments(policy_->arguments),
      environment(policy_->environment),
      identity(policy_->identity),
      system_calls(policy_->system_calls),
      egress(policy_->egress),
      limits(policy_->limits),
      redaction(policy_->redaction) {}

FixturePolicy::FixturePolicy(const FixturePolicy& other) : FixturePolicy(*other.policy_) {}

FixturePolicy& FixturePolicy::operator=(const FixturePolicy& other) {
  *policy_ = *other.policy_;
  return *this;
}

FixturePolicy::~FixturePolicy() = default;

FixturePolicy fixture_policy() {
  Policy policy = *preset("agent");
  policy.tier = {fixture_tier() == Tier::c ? TierChoice::c : TierChoice::b, fixture_tier()};
  policy.executables.allow = {guest()};
  policy.limits.wall_time_ms = 120'000;
  policy.limits.cpu_time_ms = 120'000;
  policy.limits.processes = {};
  policy.limits.output_bytes = 1 << 20;
  return FixturePolicy(policy);
}

FixturePolicy disabled_policy() { return FixturePolicy(*preset("disabled")); }

FixturePolicy unconfined_policy() {
  FixturePolicy policy = fixture_policy();
  policy.tier = {TierChoice::unconfined, Tier::unconfined};
  policy.executables.allow_all = policy.executables.interpreters =
      policy.executables.from_workspace = true;
  policy.executables.allow = {};
  policy.egress.mode = EgressMode::allow_all;
  return policy;
}

}  // namespace bawn
