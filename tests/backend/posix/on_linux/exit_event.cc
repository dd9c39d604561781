#include <sys/syscall.h>
#include <unistd.h>

#include "backend/posix/exit_event.h"
#include "sys/call.h"

namespace bawn::posix {

Result<Fd> exit_event(pid_t child) {
  BAWN_ASSIGN(const long fd,
              sys::checked("pidfd_open", [&] { return ::syscall(SYS_pidfd_open, child, 0); }));
  return Fd(static_cast<int>(fd));
}

}  // namespace bawn::posix
