// How a run ended, in the words of its outcome: the same on every system.
#pragma once

#include <string>

#include "outcome/outcome.h"
#include "policy/policy.h"
#include "supervise/machine.h"

namespace bawn {

// Ended by a limit other than wall time. `limit` is the outcome's word.
void end_by_quota(Outcome& outcome, std::string limit, std::string message, std::string hint);

// Status, limit and error of a run that somebody or something ended. One that ended by itself, or
// without anybody knowing why, is left as it is: false.
bool name_ending(Ending ending, const Limits& limits, Outcome& outcome);

}  // namespace bawn
