// Starts one process in a new session, with rlimits that were read back, and with no descriptor
// open except its stdio. After an error the child is dead and reaped, and nothing of the command
// has run. One exception: if exit_event() fails after the exec, the command may have begun before
// it was killed.
//
// This forks: the caller's memory is shared copy-on-write until the exec. Between fork and exec the
// child makes only async-signal-safe calls.
#pragma once

#include <sys/types.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "sys/fd.h"

namespace bawn::posix {

struct SpawnOrder {
  std::string program;  // path; there is no PATH search
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // "KEY=value"
  std::string directory;
  std::array<int, 3> stdio = {-1, -1, -1};  // borrowed; the process gets these and no others
  std::vector<LimitPlan> limits;
};

struct Spawned {
  // A child of this process, leader of its session and process group. Only the owner of this value
  // may wait for it.
  pid_t pid = -1;
  Fd exited;  // readable when the process has ended
  // As read back from the kernel, in the order of SpawnOrder::limits.
  std::vector<std::uint64_t> limits;
};

// ErrorKind::invalid if the kernel says that the file is not a program: an error of the request,
// not of bawn.
[[nodiscard]] Result<Spawned> spawn(const SpawnOrder& order);

}  // namespace bawn::posix
