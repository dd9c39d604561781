// Reads the system's process table: parent, session, CPU time and name of processes.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bawn::posix {

struct ProcessFacts {
  pid_t pid = 0;
  pid_t parent = 0;
  pid_t group = 0;
  pid_t session = 0;
  // Start time in a system-dependent unit; pid and start time together identify a process.
  std::uint64_t started = 0;
  std::uint64_t cpu_us = 0;
  bool ended = false;  // ended and not yet reaped (zombie)
  std::string name;    // of the last executed file, truncated by the system

  bool operator==(const ProcessFacts&) const = default;
};

// All processes that this user may see. The snapshot is not atomic: processes that start meanwhile
// may be missing.
[[nodiscard]] std::vector<ProcessFacts> list_processes();

// Also finds a process that has ended and was not reaped.
[[nodiscard]] std::optional<ProcessFacts> find_process(pid_t pid);

}  // namespace bawn::posix
