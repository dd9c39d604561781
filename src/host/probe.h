// Asks the running kernel what it can do. No version checks: each feature is tried.
#pragma once

#include "host/facts.h"

namespace bawn {

// All but HostFacts::namespaces, cgroup_place, id_ranges and user_tasks, which take longer and are
// asked for where they are needed.
[[nodiscard]] HostFacts probe_host();

[[nodiscard]] NamespaceInodes probe_namespaces();

// How many tasks (processes and threads) the user of this process has now; a walk over /proc.
[[nodiscard]] Result<std::uint64_t> probe_user_tasks();

}  // namespace bawn
