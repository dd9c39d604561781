// Tries out what bawn needs on macOS; see doctor/doctor.h.
//
// The checks run small commands, with and without a sandbox profile. Features that macOS lacks are
// listed as well.
#pragma once

#include <string>

#include "doctor/check_result.h"

namespace bawn::macos {

// `sandbox_exec` is the path of sandbox-exec; tests pass a fake one.
[[nodiscard]] CheckResults examine(const std::string& sandbox_exec);

}  // namespace bawn::macos
