// A descriptor that becomes readable when a child of this process has ended: a pidfd on Linux, a
// kqueue on macOS.
//
// The child is not reaped: the caller must still wait for it. Until then its pid is not reused.
#pragma once

#include <sys/types.h>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::posix {

// `child` must not have been reaped. It may have ended already; then the descriptor is readable at
// once.
[[nodiscard]] Result<Fd> exit_event(pid_t child);

}  // namespace bawn::posix
