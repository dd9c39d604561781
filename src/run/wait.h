// Waits for a run's descriptor, or on Windows for its event.
#pragma once

#include "run/supervisor.h"

namespace bawn {

// Returns when `fd` is readable, at `latest`, or earlier because of a signal.
void wait_for(int fd, Supervisor::Moment latest);

}  // namespace bawn
