// From how a run ended to what the caller is told about it. Pure.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "macos/sandbox_profile.h"
#include "outcome/outcome.h"
#include "plan/plan.h"
#include "posix/supervisor.h"

namespace bawn::macos {

// Everything but the captured output, the run id and the duration. `limits` as the kernel told
// them, in the order of the plan's; `complaint` is what came on stderr, if it was captured: of a
// command that did not run, it is sandbox-exec's.
[[nodiscard]] Outcome conclude(const posix::Supervised& supervised, const Plan& plan,
                               const SandboxProfile& profile,
                               const std::vector<std::uint64_t>& limits,
                               std::string_view complaint);

// A command that could not be started.
[[nodiscard]] Outcome start_failure(const Error& error, const Plan& plan);

}  // namespace bawn::macos
