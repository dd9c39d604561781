// Turns the end of a run on macOS into its outcome.
//
// Pure: it reads no host state. The caller adds output, run id and duration (run/run_context.h).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "backend/macos/sandbox_profile.h"
#include "backend/posix/live_run.h"
#include "base/error.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn::macos {

// Fills everything except captured output, run id and duration. `limits` as read back from the
// kernel, in the plan's order. `complaint` is the captured stderr, if any: if the command did not
// run, it is sandbox-exec's message.
[[nodiscard]] Outcome conclude(const posix::Supervised& supervised, const Plan& plan,
                               const SandboxProfile& profile,
                               const std::vector<std::uint64_t>& limits,
                               std::string_view complaint);

// The outcome of a command that could not be started.
[[nodiscard]] Outcome start_failure(const Error& error, const Plan& plan);

}  // namespace bawn::macos
