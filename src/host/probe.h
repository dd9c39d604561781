// Asks the running kernel what it can do, and returns plain data (host/facts.h).
//
// There are no version checks: each feature is tried. Probing changes nothing and may run in any
// thread.
#pragma once

#include "host/facts.h"

namespace bawn {

// Fills everything except HostFacts::id_ranges, which probe_id_ranges() finds.
[[nodiscard]] HostFacts probe_host();

// The inode numbers in /proc/self/ns; 0 where one cannot be read.
[[nodiscard]] NamespaceInodes probe_namespaces();

// Why this process cannot use every id of the machine: it is in a user namespace that maps only
// some. "" if it can.
[[nodiscard]] std::string probe_lack_of_ids();

// How many tasks (processes and threads) the user of this process has now. Walks /proc.
[[nodiscard]] Result<std::uint64_t> probe_user_tasks();

}  // namespace bawn
