// Starts the command of a Plan on Windows: job, private directory, token, process, in this order.
//
// It decides nothing. What the plan asks for is made, read back and compared; after any difference
// or error nothing of the command has run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "backend/windows/process/job.h"
#include "backend/windows/process/private_directory.h"
#include "backend/windows/process/spawn.h"
#include "backend/windows/syntax/environment.h"
#include "base/result.h"
#include "plan/plan.h"

namespace bawn::windows {

// What was read back before the command ran; the receipt's evidence.
struct LaunchReadback {
  JobReadback job;
  TokenFacts token;
  Integrity integrity = Integrity::callers;  // the requested level
};

struct Launched {
  Job job;
  Spawned process;
  LaunchReadback readback;
  std::optional<PrivateDirectory> directory;
};

// `words` are the command's arguments as they were typed. The job posts to `port` with kJobKey
// (backend/windows/live_run.h).
[[nodiscard]] Result<Launched> launch(const Plan& plan, const std::vector<std::string>& words,
                                      const CallerVariable& caller, const Stdio& stdio,
                                      HANDLE port);

}  // namespace bawn::windows
