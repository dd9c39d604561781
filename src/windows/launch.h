// From a Plan to a running command: the job, the token, the private directory and the process, in
// this order.
//
// Nothing is decided here. What the plan asks for is made, read back and compared; if anything
// differs, nothing runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "windows/job.h"
#include "windows/private_directory.h"
#include "windows/spawn.h"
#include "windows/syntax/environment.h"

namespace bawn::windows {

// What the command gets. Borrowed and inheritable.
struct Stdio {
  HANDLE in = nullptr;
  HANDLE out = nullptr;
  HANDLE err = nullptr;
  bool shares_console = false;
};

// What was read back before the command ran.
struct LaunchReadback {
  JobReadback job;
  std::string end_on_close;  // how it is known
  TokenFacts token;
  Integrity integrity = Integrity::callers;  // that was asked for
};

struct Launched {
  Job job;
  Spawned process;
  LaunchReadback readback;
  std::optional<PrivateDirectory> directory;
};

// `words` are the command's own, as they were typed. The job reports to `port` with kJobKey
// (windows/supervisor.h).
[[nodiscard]] Result<Launched> launch(const Plan& plan, const std::vector<std::string>& words,
                                      const CallerVariable& caller, const Stdio& stdio,
                                      HANDLE port);

}  // namespace bawn::windows
