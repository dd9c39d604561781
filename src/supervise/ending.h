// Writes the end of a run into its outcome: status, limit, error. The same on every system.
//
// Only for endings that the state machine (supervise/machine.h) decided. The exit code or signal of
// a command that ended by itself is set elsewhere.
#pragma once

#include <string>

#include "outcome/outcome.h"
#include "policy/limit.h"
#include "supervise/machine.h"

namespace bawn {

// For every limit but wall time. `limit` is the name in the outcome ("memory").
void end_by_quota(Outcome& outcome, std::string limit, std::string message, std::string hint);

// Sets status, limit and error of a run that a limit or the caller ended, and returns true. Returns
// false and leaves the outcome unchanged for every other ending.
bool name_ending(Ending ending, const Limits& limits, Outcome& outcome);

}  // namespace bawn
