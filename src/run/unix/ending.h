// Translates a wait status into the outcome, on Unix systems.
//
// Pure. Call take_wait_status() and set Outcome::usage before name_kernel_limit().
#pragma once

#include "outcome/outcome.h"
#include "policy/limit.h"

namespace bawn {

// Sets exit code or signal from a wait status.
void take_wait_status(int status, Outcome& outcome);

// Names the kernel-enforced limit that ended the command. Such a limit shows only as a signal, and
// any process of the user can send that signal. So cpu_time is named only if the CPU usage confirms
// it, and SIGXFSZ is reported as a possible cause without naming a limit. So is
// `callers_cpu_seconds`, the hard limit that bawn itself was started with: it is no limit of the
// policy's.
void name_kernel_limit(const Limits& limits, const Limit& callers_cpu_seconds, Outcome& outcome);

}  // namespace bawn
