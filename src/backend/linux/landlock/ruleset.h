// A Landlock ruleset made from a plan's grants. It refuses everything that the kernel's Landlock
// can refuse, unless it is granted.
//
// The ruleset is built here; the command's process enters it just before exec. Accesses that this
// kernel's Landlock does not know cannot be refused; landlock_gaps() lists them for the receipt.
// `abi` is the kernel's Landlock ABI version, 0 if it has none.
#pragma once

#include <string>
#include <vector>

#include "backend/linux/landlock/rights.h"
#include "base/result.h"
#include "plan/plan.h"
#include "sys/fd.h"

namespace bawn::linux_ {

struct LandlockRuleset {
  Fd fd;  // owned; empty if the kernel has no Landlock
  LandlockRights rights;
};

// For tier b: grants the plan's files. An error names the grant that could not be added.
[[nodiscard]] Result<LandlockRuleset> make_ruleset_of_grants(const Plan& plan, int abi);

// For tier c: init adds the paths of the root that it builds.
[[nodiscard]] Result<LandlockRuleset> make_empty_ruleset(int abi);

// An access that the ruleset cannot refuse: the receipt's name for it, and what it lets happen.
struct LandlockGap {
  std::string layer;
  std::string why;
  int needs_abi = 0;  // the ABI that refuses it; 0 if none does yet
};
[[nodiscard]] std::vector<LandlockGap> landlock_gaps(int abi);

// `why`, and the ABI that is needed.
[[nodiscard]] std::string describe_gap(const LandlockGap& gap);

}  // namespace bawn::linux_
