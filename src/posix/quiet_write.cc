#include "posix/quiet_write.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>

#include "sys/call.h"

namespace bawn::posix {
namespace {

bool is_pending() {
  sigset_t pending;
  sigemptyset(&pending);
  sigpending(&pending);
  return sigismember(&pending, SIGPIPE) == 1;
}

}  // namespace

ssize_t write_quietly(int fd, std::string_view bytes) {
  sigset_t pipe_signal;
  sigset_t previous;
  sigemptyset(&pipe_signal);
  sigaddset(&pipe_signal, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe_signal, &previous);
  const bool pending_before = is_pending();
  const ssize_t written = sys::retried([&] { return ::write(fd, bytes.data(), bytes.size()); });
  const int error = errno;
  // It was raised in this thread and is blocked, so it waits here, unless the program ignores it altogether.
  if (written == -1 && error == EPIPE && !pending_before && is_pending()) {
    int taken = 0;
    sigwait(&pipe_signal, &taken);
  }
  pthread_sigmask(SIG_SETMASK, &previous, nullptr);
  errno = error;
  return written;
}

}  // namespace bawn::posix
