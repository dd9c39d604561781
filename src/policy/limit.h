// What a run may use: the limits of a policy as one plain value.
//
// A limit that the host cannot enforce is a refusal, unless `optional` names it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bawn {

// A number, or empty for "unlimited".
using Limit = std::optional<std::uint64_t>;

struct Limits {
  Limit cpu_time_ms;  // of the whole process tree
  Limit wall_time_ms;
  Limit memory_bytes;
  Limit processes;
  Limit open_files;    // per process
  Limit file_bytes;    // the largest file that the command may write
  Limit output_bytes;  // stdout and stderr together
  Limit tmp_bytes;     // size of the private temporary directory; empty if there is none
  // Of one CPU, for the whole process tree at any time: 150 is one and a half CPUs.
  Limit cpu_percent{};
  // The cgroup below which the run's cgroup is created; "": wherever the caller may create one. If
  // it is set, a run without a cgroup is refused.
  std::string cgroup_parent{};
  Limit total_memory_bytes{};  // of all runs below cgroup_parent together
  Limit total_processes{};     // of all runs below cgroup_parent together
  // Limits that a run may do without if the host cannot enforce them; kOptionalLimit (text_rule.h)
  // lists the possible names. The receipt then reports them as absent. Every other limit is
  // enforced, or nothing runs.
  std::vector<std::string> optional;

  bool operator==(const Limits&) const = default;
};

}  // namespace bawn
