// The loop that feeds a run's state machine (supervise/machine.h) with what every Unix has.
//
// One poll waits for the command's end, its output and the caller's wish to cancel, until the next
// deadline. It returns by deadline + 1 s whatever the command does.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "base/stopwatch.h"
#include "outcome/outcome.h"
#include "policy/policy.h"
#include "posix/pump.h"
#include "posix/spawn.h"
#include "supervise/machine.h"

namespace bawn::posix {

struct Supervision {
  Limits limits;
  // The program that makes way for the command, by the name the process table has for it; "" if the
  // command was started itself. A process that ends under this name never became the command.
  std::string forerunner{};
  int cancel_fd = -1;              // borrowed; readable means stop the run. -1: nobody will
  Pump* pump = nullptr;            // borrowed; null if the command has the caller's own stdio
  Stopwatch* stopwatch = nullptr;  // borrowed; null if nobody wants to know
};

struct Supervised {
  RunProgress run;                 // state is `finished`
  bool command_ran = false;        // false: the forerunner ended, or was ended, before it made way
  std::optional<int> wait_status;  // of the command, or of its forerunner
  Usage usage;
  std::size_t processes_seen = 0;  // the most that were alive at one time
};

// Takes the process over; when this returns everything that was found of its tree is dead, or known
// to be unkillable (run.tree_gone), and it has been waited for.
[[nodiscard]] Result<Supervised> supervise(Spawned spawned, const Supervision& supervision);

}  // namespace bawn::posix
