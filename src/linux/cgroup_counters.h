// What a cgroup counted while a run lived in it, out of the kernel's own texts.
//
// The files are read once the tree is gone. A text that does not have the number leaves it absent:
// "not counted" is never zero.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
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
  // More than 0: processes were killed because memory was used up. Not how many: where the whole
  // run is killed, the kernel counts the one it chose twice.
  std::optional<std::uint64_t> oom_kills;
  // How often this cgroup's own limit was met, in v2 only if nothing could be freed under it. 0: it
  // was another one's limit, or the whole machine was out of memory. Absent: the kernel does not
  // say.
  std::optional<std::uint64_t> own_limit_met;
  std::optional<std::uint64_t>
      pids_refused;  // forks and clones refused because there were too many tasks
  std::optional<std::uint64_t> cpu_user_usec;  // of all processes, ended ones included
  std::optional<std::uint64_t> cpu_system_usec;
};

// The number of a line "key number".
[[nodiscard]] std::optional<std::uint64_t> counter_number(std::string_view text,
                                                          std::string_view key);

// A text that is one number, and the end of its line.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text);

// Of a directory of v1: more than before if its limit of memory, or of memory and swap together,
// was met meanwhile. Absent if it has none. New kernels do not count each time that the second one
// is met, but keep the most that was ever used: so it may stay as it is if the limit had been met
// before.
[[nodiscard]] std::optional<std::uint64_t> legacy_limit_met(int directory,
                                                            const std::string& below = ".");

// Adds what one text tells to `counts`.
void read_counter(CgroupCounter counter, std::string_view text, CgroupCounts& counts);

}  // namespace bawn
