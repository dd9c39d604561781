// Outcomes for runs that did not start or could not be supervised; the same on every system.
//
// Pure: an error in, an outcome or violation out. run_id, repairs and duration are added by
// RunContext.
#pragma once

#include <string>

#include "base/error.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn {

// bawn or the host failed; the command did not start.
[[nodiscard]] Outcome not_started(const Error& error);

// For check(): a run would fail in this way.
[[nodiscard]] Violation would_fail(const Failure& failure);

// The kernel refused to execute the file: a denied request, not a failure of bawn.
[[nodiscard]] Outcome not_executable(const Plan& plan, const std::string& reason, std::string hint);

// bawn could not supervise a run that it had started; it was ended.
[[nodiscard]] Outcome given_up(const Error& error);

}  // namespace bawn
