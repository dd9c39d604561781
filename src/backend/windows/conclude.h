// Turns the end of a run on Windows into its outcome.
//
// Pure: it reads no host state. The caller adds output, run id and duration (run/run_context.h).
#pragma once

#include "backend/windows/launch.h"
#include "backend/windows/live_run.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn::windows {

// Fills everything except captured output, run id and duration.
[[nodiscard]] Outcome conclude(const Supervised& supervised, const Plan& plan,
                               const LaunchReadback& readback);

// The outcome of a command that could not be started.
[[nodiscard]] Outcome start_failure(const Error& error, const Plan& plan);

}  // namespace bawn::windows
