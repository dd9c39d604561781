// A request on its way from valid words to a plan, on Windows. Everything in here is decided before
// anything runs.
#pragma once

#include "base/stopwatch.h"
#include "run/bawn.h"
#include "run/run_plan.h"
#include "windows/syntax/environment.h"

namespace bawn::windows {

// What comes after check_input(), for input that is valid; the caller sees all violations at once.
// `request` has the words that the command is to get.
void make_plan(RunPlan& run_plan, const Policy& policy, const Request& request,
               RunIdentity identity, const RunOptions& options, Stopwatch& stopwatch);

// The caller's environment: as the options have it, or this process's own.
[[nodiscard]] CallerVariable environment_of(const RunOptions& options);

}  // namespace bawn::windows
