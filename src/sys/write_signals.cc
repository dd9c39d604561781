#include "sys/write_signals.h"

#include <ctime>

#include "sys/call.h"

namespace bawn::sys {

WriteSignalBlock::WriteSignalBlock() {
  sigset_t both;
  ::sigemptyset(&both);
  ::sigaddset(&both, SIGPIPE);
  ::sigaddset(&both, SIGXFSZ);
  ::pthread_sigmask(SIG_BLOCK, &both, &previous_);

  sigset_t pending;
  ::sigpending(&pending);
  ours_ = both;
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    if (::sigismember(&pending, signal) == 1) ::sigdelset(&ours_, signal);
  }
}

WriteSignalBlock::~WriteSignalBlock() {
  // Both are raised in the writing thread itself, so they are pending here by now or not at all.
  const timespec no_wait{};
  while (retried([&] { return ::sigtimedwait(&ours_, nullptr, &no_wait); }) > 0) {
  }
  ::pthread_sigmask(SIG_SETMASK, &previous_, nullptr);
}

}  // namespace bawn::sys
