// A request on its way from valid words to a plan, on Linux. Everything in here is decided before
// anything runs.
#pragma once

#include "base/stopwatch.h"
#include "linux/seccomp_filter.h"
#include "run/bawn.h"
#include "run/run_plan.h"

namespace bawn {

// What comes after check_input(), for input that is valid; the caller sees all violations at once.
// Returns the filter that belongs to the plan, if there is one.
[[nodiscard]] RunFilter make_plan(RunPlan& run_plan, const Policy& policy, const Request& request,
                                  RunIdentity identity, const RunOptions& options,
                                  Stopwatch& stopwatch);

}  // namespace bawn
