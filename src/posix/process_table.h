// What the system tells about processes: who started them, which session they are in, what they
// used.
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
  std::uint64_t started = 0;  // in whatever unit; with the pid, the same for no two processes
  std::uint64_t cpu_us = 0;
  bool ended = false;  // and not yet waited for
  std::string name;    // of the file that was executed last, cut to what the system keeps

  bool operator==(const ProcessFacts&) const = default;
};

// All that this user may know about. A snapshot that takes time: what begins meanwhile may be
// missing.
[[nodiscard]] std::vector<ProcessFacts> list_processes();

// Also for one that has ended and was not waited for.
[[nodiscard]] std::optional<ProcessFacts> find_process(pid_t pid);

}  // namespace bawn::posix
