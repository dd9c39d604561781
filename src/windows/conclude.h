// From how a run ended to what the caller is told about it. Pure.
#pragma once

#include "outcome/outcome.h"
#include "plan/plan.h"
#include "windows/launch.h"
#include "windows/supervisor.h"

namespace bawn::windows {

// Everything but the captured output, the run id and the duration.
[[nodiscard]] Outcome conclude(const Supervised& supervised, const Plan& plan,
                               const LaunchReadback& readback);

// A command that could not be started.
[[nodiscard]] Outcome start_failure(const Error& error, const Plan& plan);

}  // namespace bawn::windows
