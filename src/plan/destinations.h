// Whether the places at which a policy shows its grants are to be had, as far as policy and host
// can tell without a look at a file. A destination is refused
//  - where a run has no root of its own to put it into: everywhere but in tier c on Linux;
//  - at, inside of or around what bawn puts there itself: the system, /proc, /dev, /sys, the
//    settings in /etc. Below /tmp and /run, and beside the settings, there is room.
#pragma once

#include "host/facts.h"
#include "policy/policy.h"
#include "validate/violation.h"

namespace bawn {

[[nodiscard]] Violations judge_destinations(const Policy& policy, Tier tier, const HostFacts& host);

}  // namespace bawn
