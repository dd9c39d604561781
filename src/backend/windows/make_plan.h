// The part of planning that is specific to Windows.
//
// Everything is decided here before anything runs; files are looked up and not changed.
#pragma once

#include "api/run_options.h"
#include "backend/windows/syntax/environment.h"
#include "base/stopwatch.h"
#include "run/run_plan.h"

namespace bawn {
struct Policy;
}  // namespace bawn

namespace bawn::windows {

// Continues after check_input(), for valid input. Adds the plan, or all violations at once, to
// `run_plan`. `request` has the arguments as the command will get them.
void make_plan(RunPlan& run_plan, const Policy& policy, const Request& request,
               RunIdentity identity, const RunOptions& options, Stopwatch& stopwatch);

// Reads the caller's environment: RunOptions::caller_env, or this process's own.
[[nodiscard]] CallerVariable environment_of(const RunOptions& options);

}  // namespace bawn::windows
