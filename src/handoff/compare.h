// Two snapshots -> what the run has handed to other programs.
//
// Pure.
#pragma once

#include <vector>

#include "handoff/snapshot.h"
#include "outcome/outcome.h"

namespace bawn::handoff {

// `after` may leave out files that have not changed.
[[nodiscard]] std::vector<Handoff> compare(const Snapshot& before, const Snapshot& after);

}  // namespace bawn::handoff
