// A Landlock ruleset made from a plan's grants: everything the kernel's Landlock knows is refused
// unless granted.
//
// The ruleset is built here and entered by the command's own process just before exec. What this
// kernel's Landlock does not know cannot be refused; the receipt lists it (landlock_gaps).
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "linux/landlock_rights.h"
#include "plan/plan.h"
#include "sys/fd.h"

namespace bawn {

struct LandlockRuleset {
  Fd fd;  // none if the kernel has no Landlock
  LandlockRights rights;
};

// For tier b, with the plan's grants.
[[nodiscard]] Result<LandlockRuleset> make_ruleset_of_grants(const Plan& plan, int abi);

// For tier c: init adds the places in the root that it makes.
[[nodiscard]] Result<LandlockRuleset> make_empty_ruleset(int abi);

// Whether the ruleset also keeps the command from signalling processes outside the run.
[[nodiscard]] bool landlock_scopes_signals(int abi);

struct LandlockGap {
  std::string layer;
  std::string why;
};
[[nodiscard]] std::vector<LandlockGap> landlock_gaps(int abi);

}  // namespace bawn
