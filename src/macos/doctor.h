// What bawn needs of a Mac, tried out; see host/doctor.h.
#pragma once

#include <string>

#include "host/finding.h"

namespace bawn::macos {

// `sandbox_exec` is the path of the real one; tests have another.
[[nodiscard]] Findings examine(const std::string& sandbox_exec);

}  // namespace bawn::macos
