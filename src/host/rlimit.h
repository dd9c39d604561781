// The limits of a process as rlimits, on Unix systems.
#pragma once

#include <string_view>

#include "host/process_limit.h"

namespace bawn {

// RLIMIT_NOFILE and the like, for setrlimit().
[[nodiscard]] int rlimit_resource(ProcessLimit limit);

// "RLIMIT_NOFILE", for receipts and messages.
[[nodiscard]] std::string_view rlimit_name(ProcessLimit limit);

}  // namespace bawn
