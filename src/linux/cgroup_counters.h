// What a cgroup counted while a run lived in it, out of the kernel's own texts.
//
// The files are read once the tree is gone. A text that does not have the number leaves it absent: "not counted" is never
// zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bawn {

enum class CgroupCounter {
  memory_events,       // v2 memory.events
  memory_oom_control,  // v1 memory.oom_control
  pids_events,         // both pids.events
  cpu_stat,            // v2 cpu.stat
};

// Its name in the cgroup's directory.
[[nodiscard]] const char* file_of(CgroupCounter counter);

struct CgroupCounts {
  // More than 0: processes were killed because memory was used up. Not how many: where the whole run is killed, the
  // kernel counts the one it chose twice.
  std::optional<std::uint64_t> oom_kills;
  // v2: how often this cgroup's own limit was what nothing could be freed under. Absent: the kernel does not say whose
  // limit it was, or that the whole machine was out of memory.
  std::optional<std::uint64_t> own_limit_met;
  std::optional<std::uint64_t> pids_refused;   // forks and clones refused because there were too many tasks
  std::optional<std::uint64_t> cpu_user_usec;  // of all processes, ended ones included
  std::optional<std::uint64_t> cpu_system_usec;
};

// Adds what one text tells to `counts`.
void read_counter(CgroupCounter counter, std::string_view text, CgroupCounts& counts);

}  // namespace bawn
