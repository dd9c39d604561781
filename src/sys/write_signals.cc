#include "sys/write_signals.h"

#include <unistd.h>

#include <cerrno>
#include <ctime>

#include "sys/call.h"

namespace bawn::sys {

namespace {

#if defined(__APPLE__)
// macOS has no sigtimedwait(). sigwait() does not block for a signal that is already pending.
void forget_pending(const sigset_t& set) {
  sigset_t pending;
  ::sigpending(&pending);
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (sigismember(&set, signal) != 1 || sigismember(&pending, signal) != 1) continue;
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, signal);
    int taken = 0;
    ::sigwait(&one, &taken);
  }
}
#else
void forget_pending(const sigset_t& set) {
  const timespec no_wait{};
  while (retried([&] { return ::sigtimedwait(&set, nullptr, &no_wait); }) > 0) {
  }
}
#endif

}  // namespace

WriteSignalBlock::WriteSignalBlock() {
  sigset_t both;
  sigemptyset(&both);
  sigaddset(&both, SIGPIPE);
  sigaddset(&both, SIGXFSZ);
  ::pthread_sigmask(SIG_BLOCK, &both, &previous_);

  sigset_t pending;
  ::sigpending(&pending);
  ours_ = both;
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (sigismember(&pending, signal) == 1) sigdelset(&ours_, signal);
  }
}

WriteSignalBlock::~WriteSignalBlock() {
  // Both signals are raised synchronously in the writing thread, so they are pending now or never.
  forget_pending(ours_);
  ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

ssize_t write_quietly(int fd, std::string_view bytes) {
  ssize_t written = 0;
  int error = 0;
  {
    const WriteSignalBlock no_signals;
    written = retried([&] { return ::write(fd, bytes.data(), bytes.size()); });
    error = errno;
  }
  errno = error;
  return written;
}

}  // namespace bawn::sys
