// The limits of a plan as a Unix kernel names them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "plan/plan.h"

namespace bawn {

[[nodiscard]] int rlimit_resource(ProcessLimit limit);

// "RLIMIT_NOFILE", for receipts and messages.
[[nodiscard]] std::string_view rlimit_name(ProcessLimit limit);

// "RLIMIT_NOFILE=64", or "none" if the plan has no such limit, or the kernel did not tell it.
// `told` is what the kernel said, in the order of the plan's.
[[nodiscard]] std::string rlimit_as_set(const Plan& plan, std::span<const std::uint64_t> told,
                                        ProcessLimit limit);

}  // namespace bawn
