// A descriptor that becomes ready for reading when a child of this process has ended; the child
// stays to be waited for.
#pragma once

#include <sys/types.h>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::posix {

[[nodiscard]] Result<Fd> exit_event(pid_t child);

}  // namespace bawn::posix
