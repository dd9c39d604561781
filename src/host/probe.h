// Asks the running kernel what it can do. No version checks: each feature is tried.
#pragma once

#include "host/facts.h"

namespace bawn {

[[nodiscard]] HostFacts probe_host();

// How many tasks (processes and threads) the user of this process has now; a walk over /proc.
[[nodiscard]] std::uint64_t probe_user_tasks();

}  // namespace bawn
