// The enforcement receipt of a run on macOS: every layer, with how it is known, and what the system
// cannot do.
#pragma once

#include <cstdint>
#include <vector>

#include "macos/sandbox_profile.h"
#include "outcome/outcome.h"
#include "plan/plan.h"
#include "posix/supervisor.h"

namespace bawn::macos {

// `limits` as the kernel told them, in the order of the plan's; of a run whose command ran.
[[nodiscard]] std::vector<Enforcement> make_receipt(const Plan& plan, const SandboxProfile& profile,
                                                    const std::vector<std::uint64_t>& limits,
                                                    const posix::Supervised& supervised);

}  // namespace bawn::macos
