// How a command ended, as a Unix kernel tells it.
#pragma once

#include "outcome/outcome.h"
#include "policy/policy.h"

namespace bawn {

// Exit code or signal, from what wait() said.
void take_wait_status(int status, Outcome& outcome);

// Limits that the kernel enforces by itself show only in the signal, and in what was used.
void name_kernel_limit(const Limits& limits, Outcome& outcome);

}  // namespace bawn
