// Waits for a run's descriptor, and for one of the caller's. On Windows both are events.
#pragma once

#include "base/result.h"
#include "run/supervisor.h"

namespace bawn {

// Returns when `fd` is readable, at `latest`, or earlier because of a signal.
void wait_for(int fd, Supervisor::Moment latest);

// Returns when one of them is readable, or earlier because of a signal. True if `other` is, which
// may be -1.
[[nodiscard]] bool wait_for_either(int fd, int other);

// An error if waiting for `fd` would not wait: it is not open, or a regular file. -1 is none.
[[nodiscard]] Result<void> require_waitable(int fd);

}  // namespace bawn
