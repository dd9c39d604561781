// The enforcement receipt of a run on Windows: every layer, with what the system reported when it
// was queried.
//
// Pure: it only formats what launch() has read back.
#pragma once

#include <vector>

#include "backend/windows/launch.h"
#include "outcome/outcome.h"
#include "plan/plan.h"

namespace bawn::windows {

// For a run whose command was started.
[[nodiscard]] std::vector<Enforcement> make_receipt(const Plan& plan,
                                                    const LaunchReadback& readback);

}  // namespace bawn::windows
