// Starts one process in a session of its own, with limits that were read back, and nothing open but
// its stdio. Whatever fails on the way, nothing of the command has run.
//
// The caller's memory is copied on write until the exec; between the two there are only calls that
// a signal handler could make.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "sys/fd.h"

namespace bawn::posix {

struct SpawnOrder {
  std::string program;  // a path
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // "KEY=value"
  std::string directory;
  int stdin_fd = -1;  // borrowed; all that the process gets
  int stdout_fd = -1;
  int stderr_fd = -1;
  std::vector<LimitPlan> limits;
};

struct Spawned {
  pid_t pid = -1;  // a child of this process; leader of its session and process group. Nobody else
                   // may wait for it
  Fd exited;       // ready for reading when it has ended
  std::vector<std::uint64_t>
      limits;  // as the kernel tells them, in the order of SpawnOrder::limits
};

// ErrorKind::invalid if the system says that the file is no program: the caller's mistake.
[[nodiscard]] Result<Spawned> spawn(const SpawnOrder& order);

}  // namespace bawn::posix
