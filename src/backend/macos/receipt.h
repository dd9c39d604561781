// The enforcement receipt of a run on macOS: every layer, how its state is known, and what the
// system cannot do.
//
// Pure: it only formats what was read back and seen.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/macos/sandbox_profile.h"
#include "backend/posix/live_run.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn::macos {

// `limits` as read back from the kernel, in the plan's order. Only for a run whose command ran.
[[nodiscard]] std::vector<Enforcement> make_receipt(const Plan& plan, const SandboxProfile& profile,
                                                    const std::vector<std::uint64_t>& limits,
                                                    const posix::Supervised& supervised);

}  // namespace bawn::macos
