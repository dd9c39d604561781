// Checks the destinations of grants (`at`) as far as policy and host facts can tell without a file
// lookup. plan/root/root_plan.h checks the rest. A destination is refused
//
//  - where a run has no root of its own: everywhere except tier c on Linux;
//  - if it is equal to, inside or above a base mount or another path that bawn provides: the system
//    directories, /proc, /dev, /sys, the files in /etc. Paths below /tmp and /run, and other names
//    in /etc, are allowed.
#pragma once

#include "plan/root/setup_plan.h"
#include "validate/violation.h"

namespace bawn {

struct Policy;

// `setup` is null where a run has no root of its own.
[[nodiscard]] Violations judge_destinations(const Policy& policy, const SetupPlan* setup);

}  // namespace bawn
