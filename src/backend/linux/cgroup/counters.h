// The numbers that a cgroup counted during a run, parsed from the kernel's files.
//
// The numbers for the outcome are read after the whole process tree has ended; CPU time is also
// read during the run. A number that is missing from a file stays absent: "not counted" is never
// reported as zero. The parsers are pure; only legacy_limit_met() reads files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bawn::linux_ {

enum class CgroupCounter {
  memory_events,       // v2 memory.events
  memory_oom_control,  // v1 memory.oom_control
  pids_events,         // v1 and v2 pids.events
  cpu_stat,            // v2 cpu.stat
};

// The name of the file in the cgroup's directory.
[[nodiscard]] const char* file_of(CgroupCounter counter);

struct CgroupCounts {
  // More than 0: the OOM killer killed processes. The number is no count of processes: with
  // memory.oom.group the kernel counts the process that it chose twice.
  std::optional<std::uint64_t> oom_kills;
  // How often the limit of this very cgroup was met; v2 counts only if nothing could be reclaimed.
  // 0: the limit of another cgroup was met, or the whole machine was out of memory. Absent: the
  // kernel does not report it.
  std::optional<std::uint64_t> own_limit_met;
  // Forks and clones that pids.max refused.
  std::optional<std::uint64_t> pids_refused;
  // CPU time of all processes, ended ones included.
  std::optional<std::uint64_t> cpu_user_usec;
  std::optional<std::uint64_t> cpu_system_usec;
};

// The number in the line "key number"; absent if there is no such line.
[[nodiscard]] std::optional<std::uint64_t> counter_number(std::string_view text,
                                                          std::string_view key);

// Parses a text that is one number, with or without a newline at its end.
[[nodiscard]] std::optional<std::uint64_t> whole_number(std::string_view text);

// For v1. The result grows when the limit of memory, or of memory and swap together (memsw), is
// met. Absent if the directory `below` has no memory controller. Newer kernels do not count each
// time that the memsw limit is met, but keep the highest usage: the result stays the same if that
// limit had been met before.
[[nodiscard]] std::optional<std::uint64_t> legacy_limit_met(int directory,
                                                            const std::string& below = ".");

// Adds the numbers in the text of one counter file to `counts`.
void read_counter(CgroupCounter counter, std::string_view text, CgroupCounts& counts);

}  // namespace bawn::linux_
