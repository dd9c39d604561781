// Translates the plan's per-process limits into rlimits, on Unix systems.
//
// Tables only; init (Linux) and backend/posix/spawn.h set the rlimits and read them back.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "outcome/evidence.h"
#include "plan/plan.h"

namespace bawn {

// RLIMIT_NOFILE and the like, for setrlimit().
[[nodiscard]] int rlimit_resource(ProcessLimit limit);

// "RLIMIT_NOFILE", for receipts and messages.
[[nodiscard]] std::string_view rlimit_name(ProcessLimit limit);

// For the receipt: the name and the value that the kernel returned, which is null if the plan has
// no such limit or it was not read back. `told` is in the order of the plan's limits.
[[nodiscard]] Evidence rlimit_evidence(const Plan& plan, std::span<const std::uint64_t> told,
                                       ProcessLimit limit);

}  // namespace bawn
