// Judges the hosts that a request names, before anything runs.
//
// This check sees only hosts that are spelled out: in requested_egress_hosts, in arguments and in
// environment values (validate/argument/host_mentions.h). It can say which rule is missing. It does
// not confine: in the modes `strict` and `block_all` the kernel enforces what the program connects
// to, and in mode `preflight` nothing does.
//
// Codes: egress.bad_host (two programs could read the spelling as two hosts), egress.blocked (mode
// block_all), egress.host_not_allowed. Mode `allow_all` judges nothing. Each host is reported once.
#pragma once

#include "request/request.h"
#include "validate/violation.h"

namespace bawn {

struct EgressHost;
struct EgressPolicy;

// Appends to `violations`, in the order requested_egress_hosts, arguments, environment.
void judge_egress(const EgressPolicy& egress, const Request& request, Violations& violations);

// The rule for one host. A name is allowed by an equal entry of egress.hosts or by an entry of
// egress.dns_suffixes on a label boundary; an address only by an equal entry. Port 0, in the entry
// or in `host`, matches every port. `host` is normalised as by parse_egress_host.
[[nodiscard]] bool egress_allows(const EgressPolicy& egress, const EgressHost& host);

}  // namespace bawn
