// Judges the hosts that a request names, before anything runs.
//
// This is the preflight: it sees what is spelled out in requested_egress_hosts, arguments and
// environment values (validate/argument/host_mentions.h) and can say which rule is missing. What
// the program connects to in the end is the business of the kernel's enforcement in the modes
// `strict` and `block_all`, and of nobody in mode `preflight`.
//
// Codes: egress.bad_host (a spelling that two programs could read as two hosts), egress.blocked
// (mode block_all), egress.host_not_allowed. Mode `allow_all` judges nothing. A name is allowed by
// an equal entry of egress.hosts or by a suffix on a label boundary; an address only by an equal
// entry. A mention without a port asks for no particular one. Each host is reported once.
#pragma once

#include "policy/policy.h"
#include "request/request.h"
#include "validate/violation.h"

namespace bawn {

void judge_egress(const Policy& policy, const Request& request, Violations& violations);

// The rule itself. `host` is normal as parse_egress_host leaves it.
[[nodiscard]] bool egress_allows(const Policy::Egress& egress, const EgressHost& host);

}  // namespace bawn
