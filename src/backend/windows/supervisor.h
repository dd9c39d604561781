// The supervisor loop that feeds a run's state machine (supervise/machine.h) on Windows.
//
// One completion port delivers everything: the job's notifications, the command's exit, its output,
// the request to cancel. Each wait ends at the next deadline. supervise() returns by deadline + 1 s
// whatever the command does.
#pragma once

#include <optional>

#include "backend/windows/job.h"
#include "backend/windows/pump.h"
#include "backend/windows/spawn.h"
#include "base/result.h"
#include "base/stopwatch.h"
#include "outcome/outcome.h"
#include "policy/limit.h"
#include "supervise/machine.h"

namespace bawn::windows {

// Makes the completion port to which all events of a run are posted.
[[nodiscard]] Result<Handle> create_port();

inline constexpr ULONG_PTR kJobKey = 1;

struct Supervision {
  Limits limits;
  HANDLE port = nullptr;    // borrowed; the job reports to it with kJobKey
  HANDLE cancel = nullptr;  // borrowed; signalled means stop the run; null: cannot be cancelled
  Pump* pump = nullptr;     // borrowed; null if the command has the caller's stdio
  Stopwatch* stopwatch = nullptr;  // borrowed; null if times are not measured
};

struct Supervised {
  RunProgress run;  // state is `finished`
  std::optional<DWORD> exit_code;
  Usage usage;
  bool memory_refused = false;     // the job refused memory beyond its limit
  bool processes_refused = false;  // the job refused a process beyond its limit
};

// When this returns, also with an error, the job has been terminated: every process in it is dead,
// or known to be unkillable (run.tree_gone is false).
[[nodiscard]] Result<Supervised> supervise(const Job& job, const Spawned& spawned,
                                           const Supervision& supervision);

}  // namespace bawn::windows
