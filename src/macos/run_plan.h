// One plan, run: its private directory, its profile, its process, its output, and what was in force.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/stopwatch.h"
#include "macos/launch.h"
#include "outcome/outcome.h"
#include "plan/plan.h"
#include "posix/pump.h"
#include "posix/supervisor.h"

namespace bawn::macos {

struct RunOrder {
  const Plan* plan = nullptr;              // borrowed; one without violations
  std::optional<posix::PumpOptions> pump;  // none: stdin, stdout and stderr are the caller's own
  int cancel_fd = -1;                      // borrowed; readable means stop the run. -1: nobody will
  Stopwatch* stopwatch = nullptr;          // borrowed; null if nobody wants to know
  std::string sandbox_exec = std::string(kSandboxExec);
};

struct Ran {
  posix::Supervised supervised;
  posix::PumpedOutput output;
  std::string refusal;               // why sandbox-exec did not make way for the command; "" if it did
  std::vector<Enforcement> receipt;  // empty if the command did not run
};

// An error if nothing ran. Afterwards nothing of the run is left, or the receipt says what is.
[[nodiscard]] Result<Ran> run_plan(const RunOrder& order);

}  // namespace bawn::macos
