#include "plan/fallback.h"

#include "base/text.h"
#include "policy/policy.h"

namespace bawn {

bool accepts_tier_b(const Policy& policy) {
  return policy.tier.use == TierChoice::automatic && policy.tier.floor <= Tier::b;
}

std::optional<Fallback> plan_fallback(const Lacking& lacking, const Policy& policy,
                                      const HostFacts& host) {
  Fallback fallback{host, ""};
  switch (lacking.what) {
    case Lacking::What::namespaces:
      if (!host.tier_c || !accepts_tier_b(policy)) return std::nullopt;
      fallback.host.tier_c = false;
      fallback.host.tier_c_reason = lacking.why;
      fallback.note = concat("no namespaces, so tier b: ", lacking.why);
      return fallback;
    case Lacking::What::cgroup:
      if (!host.cgroup_reason.empty() || !policy.limits.cgroup_parent.empty()) return std::nullopt;
      fallback.host.cgroup_reason = lacking.why;
      fallback.note = concat("no cgroup, so rlimits: ", lacking.why);
      return fallback;
    // A relay gives the command no more access to the file than opening it by its name.
    case Lacking::What::stdio_files:
      if (!host.init_opens_files) return std::nullopt;
      fallback.host.init_opens_files = false;
      fallback.note =
          "the caller's file cannot be opened again by its path, so its bytes are relayed";
      return fallback;
    case Lacking::What::host_id:
      if (!host.host_ids.lack.empty()) return std::nullopt;
      fallback.host.host_ids = {lacking.why, lacking.workspace_owner, true};
      fallback.note = concat("no host id of the run's own: ", lacking.why);
      return fallback;
  }
  return std::nullopt;
}

}  // namespace bawn
