// A request on its way from valid words to a plan, on macOS. Everything in here is decided before
// anything runs.
#pragma once

#include "base/stopwatch.h"
#include "run/bawn.h"
#include "run/run_plan.h"

namespace bawn::macos {

// What comes after check_input(), for input that is valid; the caller sees all violations at once.
void make_plan(RunPlan& run_plan, const Policy& policy, const Request& request,
               RunIdentity identity, const RunOptions& options, Stopwatch& stopwatch);

}  // namespace bawn::macos
