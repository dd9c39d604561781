// Makes a plan from a valid request, on Linux. Everything is decided here, before anything runs.
//
// Reads the host (paths, cgroups, the user's tasks) but changes nothing on it.
#pragma once

#include "api/run_options.h"
#include "backend/linux/seccomp/filter.h"
#include "base/stopwatch.h"
#include "run/run_plan.h"

namespace bawn {
struct Policy;
}  // namespace bawn

namespace bawn::linux_ {

// Call it after check_input(), for valid input only. Violations and failures go into `run_plan`,
// all violations at once. Returns the seccomp filter that belongs to the plan; an empty one if
// there is no plan or the run is unconfined.
[[nodiscard]] RunFilter make_plan(RunPlan& run_plan, const Policy& policy, const Request& request,
                                  RunIdentity identity, const RunOptions& options,
                                  Stopwatch& stopwatch);

}  // namespace bawn::linux_
