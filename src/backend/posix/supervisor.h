// The supervisor loop that feeds a run's state machine (supervise/machine.h), with calls that every
// Unix has.
//
// One poll waits for the command's exit, its output and a request to cancel, until the next
// deadline. supervise() returns by deadline + 1 s whatever the command does.
#pragma once

#include <optional>
#include <string>

#include "backend/posix/pump.h"
#include "backend/posix/spawn.h"
#include "base/result.h"
#include "base/stopwatch.h"
#include "outcome/outcome.h"
#include "policy/limit.h"
#include "supervise/machine.h"

namespace bawn::posix {

struct Supervision {
  Limits limits;
  // The process-table name of the program that executes the command (sandbox-exec); "" if the
  // command is started directly. A process that ends under this name never became the command.
  std::string forerunner{};
  int cancel_fd = -1;              // borrowed; readable means stop the run; -1: cannot be cancelled
  Pump* pump = nullptr;            // borrowed; null if the command has the caller's stdio
  Stopwatch* stopwatch = nullptr;  // borrowed; null if times are not measured
};

struct Supervised {
  RunProgress run;           // state is `finished`
  bool command_ran = false;  // false: the forerunner ended before it executed the command
  // Of the command or of its forerunner; empty if it could not be reaped.
  std::optional<int> wait_status;
  Usage usage;
  std::size_t processes_seen = 0;  // most processes alive at one time
};

// Takes over the process. When this returns, also with an error, every process that was found of
// the tree is dead, or known to be unkillable (run.tree_gone is false), and the child has been
// reaped if it ended.
[[nodiscard]] Result<Supervised> supervise(Spawned spawned, const Supervision& supervision);

}  // namespace bawn::posix
