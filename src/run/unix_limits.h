// Translates the plan's per-process limits into rlimits, on Unix systems.
//
// Tables and text only; init (Linux) and backend/posix/spawn.h set the rlimits and read them back.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "plan/plan.h"

namespace bawn {

// RLIMIT_NOFILE and the like, for setrlimit().
[[nodiscard]] int rlimit_resource(ProcessLimit limit);

// "RLIMIT_NOFILE", for receipts and messages.
[[nodiscard]] std::string_view rlimit_name(ProcessLimit limit);

// "RLIMIT_NOFILE=64", or "none" if the plan has no such limit or it was not read back. `told` is
// what the kernel returned, in the order of the plan's limits.
[[nodiscard]] std::string rlimit_as_set(const Plan& plan, std::span<const std::uint64_t> told,
                                        ProcessLimit limit);

}  // namespace bawn
