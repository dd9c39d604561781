// How a command ended, as a Unix kernel tells it.
#pragma once

#include "outcome/outcome.h"
#include "policy/policy.h"

namespace bawn {

// Exit code or signal, from what wait() said.
void take_wait_status(int status, Outcome& outcome);

// Limits that the kernel enforces by itself show only in the signal, and in what was used. A signal
// alone proves nothing, since any process of the user can send it: one that only a limit explains
// otherwise is told as such, and no limit is named.
void name_kernel_limit(const Limits& limits, Outcome& outcome);

}  // namespace bawn
