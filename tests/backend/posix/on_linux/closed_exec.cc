#include <linux/close_range.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>

#include "backend/posix/closed_exec.h"

namespace bawn::posix {

Result<ClosedExec> ClosedExec::prepare() { return ClosedExec(nullptr); }

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): other systems use state_.
int ClosedExec::run(const char* program, char* const* argv, char* const* environment) const {
  if (::syscall(SYS_close_range, STDERR_FILENO + 1, UINT_MAX, CLOSE_RANGE_CLOEXEC) != 0)
    return errno;
  ::execve(program, argv, environment);
  return errno;
}

}  // namespace bawn::posix
