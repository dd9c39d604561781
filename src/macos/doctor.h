// What bawn needs of a Mac, tried out; see host/doctor.h.
#pragma once

#include <string>

#include "host/check_result.h"

namespace bawn::macos {

// `sandbox_exec` is the path of the real one; tests have another.
[[nodiscard]] CheckResults examine(const std::string& sandbox_exec);

}  // namespace bawn::macos
