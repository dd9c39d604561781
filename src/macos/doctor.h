// Tries out what bawn needs on macOS; see host/doctor.h.
#pragma once

#include <string>

#include "host/check_result.h"

namespace bawn::macos {

// `sandbox_exec` is the path of sandbox-exec; tests pass a fake one.
[[nodiscard]] CheckResults examine(const std::string& sandbox_exec);

}  // namespace bawn::macos
