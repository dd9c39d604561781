// A descriptor that becomes readable when a child of this process has ended. The child is not
// reaped: the caller must still wait for it.
#pragma once

#include <sys/types.h>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::posix {

[[nodiscard]] Result<Fd> exit_event(pid_t child);

}  // namespace bawn::posix
