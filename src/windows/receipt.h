// The enforcement receipt of a run on Windows: every layer, with what the system said when it was
// asked.
#pragma once

#include <vector>

#include "outcome/outcome.h"
#include "plan/plan.h"
#include "windows/launch.h"

namespace bawn::windows {

[[nodiscard]] std::vector<Enforcement> make_receipt(const Plan& plan,
                                                    const LaunchReadback& readback);

}  // namespace bawn::windows
