// The enforcement receipt of a run on Windows: every layer, with what the system reported when it
// was queried.
#pragma once

#include <vector>

#include "outcome/outcome.h"
#include "plan/plan.h"
#include "windows/launch.h"

namespace bawn::windows {

[[nodiscard]] std::vector<Enforcement> make_receipt(const Plan& plan,
                                                    const LaunchReadback& readback);

}  // namespace bawn::windows
