#include <fcntl.h>
#include <sys/event.h>

#include <cerrno>

#include "backend/posix/exit_event.h"
#include "sys/call.h"
#include "sys/pipe.h"

namespace bawn::posix {
namespace {

// A pipe without a writer is readable at once (end of file).
Result<Fd> already_ended() {
  BAWN_ASSIGN(sys::PipeEnds ends, sys::pipe());
  return std::move(ends.read);
}

}  // namespace

// A kqueue is itself a descriptor that poll accepts.
Result<Fd> exit_event(pid_t child) {
  BAWN_ASSIGN(const int fd, sys::checked("kqueue", [] { return ::kqueue(); }));
  Fd queue(fd);
  BAWN_TRY(sys::checked("fcntl(F_SETFD)", [&] { return ::fcntl(fd, F_SETFD, FD_CLOEXEC); }));
  struct kevent wanted {};
  EV_SET(&wanted, static_cast<uintptr_t>(child), EVFILT_PROC, EV_ADD, NOTE_EXIT, 0, nullptr);
  if (sys::retried([&] { return ::kevent(fd, &wanted, 1, nullptr, 0, nullptr); }) == 0)
    return queue;
  if (errno == ESRCH) return already_ended();
  return system_error(errno, "kevent(EVFILT_PROC)");
}

}  // namespace bawn::posix
