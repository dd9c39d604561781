// The loop that feeds a run's state machine (supervise/machine.h) on Windows.
//
// One completion port brings everything: the job's reports, the command's end, its output, the
// caller's wish to cancel; the wait for it ends at the next deadline. It returns by deadline + 1 s
// whatever the command does.
#pragma once

#include <optional>

#include "base/result.h"
#include "base/stopwatch.h"
#include "outcome/outcome.h"
#include "policy/policy.h"
#include "supervise/machine.h"
#include "windows/job.h"
#include "windows/pump.h"
#include "windows/spawn.h"

namespace bawn::windows {

// Where everything that happens to a run is posted.
[[nodiscard]] Result<Handle> create_port();

inline constexpr ULONG_PTR kJobKey = 1;

struct Supervision {
  Limits limits;
  HANDLE port = nullptr;           // borrowed; the job reports to it with kJobKey
  HANDLE cancel = nullptr;         // borrowed; signalled means stop the run. null: nobody will
  Pump* pump = nullptr;            // borrowed; null if the command has the caller's own stdio
  Stopwatch* stopwatch = nullptr;  // borrowed; null if nobody wants to know
};

struct Supervised {
  RunProgress run;  // state is `finished`
  std::optional<DWORD> exit_code;
  Usage usage;
  bool memory_refused = false;  // the job said that something wanted more memory than it may have
  bool processes_refused = false;  // or one process more than there may be
};

// When this returns everything in the job is dead, or known to be unkillable (run.tree_gone).
[[nodiscard]] Result<Supervised> supervise(const Job& job, const Spawned& spawned,
                                           const Supervision& supervision);

}  // namespace bawn::windows
