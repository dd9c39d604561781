// The part of planning that is specific to macOS.
//
// Everything is decided here before anything runs; files are looked up and not changed.
#pragma once

#include "api/run_options.h"
#include "base/stopwatch.h"
#include "run/run_plan.h"

namespace bawn {
struct Policy;
}  // namespace bawn

namespace bawn::macos {

// Continues after check_input(), for valid input. Adds the plan, or all violations at once, to
// `run_plan`.
void make_plan(RunPlan& run_plan, const Policy& policy, const Request& request,
               RunIdentity identity, const RunOptions& options, Stopwatch& stopwatch);

}  // namespace bawn::macos
