// What the receipt says of rlimits. Init (Linux) and backend/posix/spawn.h set them and read them
// back.
#pragma once

#include <cstdint>
#include <span>

#include "outcome/evidence.h"
#include "plan/plan.h"

namespace bawn {

// For the receipt: the name and the value that the kernel returned, which is null if the plan has
// no such limit or it was not read back. `told` is in the order of the plan's limits.
[[nodiscard]] Evidence rlimit_evidence(const Plan& plan, std::span<const std::uint64_t> told,
                                       ProcessLimit limit);

}  // namespace bawn
