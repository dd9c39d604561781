// Tries out everything that bawn needs from the host. Takes about ten milliseconds and leaves
// nothing behind.
//
// For the command line only: the checks fork, so the process must have one thread. A run never
// calls this; it executes its plan and fails where the host refuses.
#pragma once

#include "doctor/check_result.h"

namespace bawn {

[[nodiscard]] CheckResults examine_host();

}  // namespace bawn
