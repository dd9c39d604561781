#include "front/cli/signals/job_signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <ctime>

#include "sys/call.h"

namespace bawn::cli {
namespace {

sigset_t only(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  return set;
}

bool is_pending(int signal) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, signal) == 1;
}

void forget(int signal) {
  const sigset_t set = only(signal);
  const timespec now{};
  sigtimedwait(&set, nullptr, &now);
}

}  // namespace

Result<void> JobSignals::catch_them() {
  sigset_t mask;
  sigemptyset(&mask);
  for (const int signal : {SIGWINCH, SIGCONT, SIGTSTP, SIGINT, SIGQUIT}) sigaddset(&mask, signal);
  pthread_sigmask(SIG_BLOCK, &mask, nullptr);
  BAWN_ASSIGN(const int fd, sys::checked("signalfd", [&] {
                return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
              }));
  fd_ = Fd(fd);
  return {};
}

TerminalControl JobSignals::control() {
  return {.signal_fd = fd_.get(),
          .next_signal = [this] { return next(); },
          .suspend = &JobSignals::suspend};
}

int JobSignals::next() {
  signalfd_siginfo info{};
  if (read(fd_.get(), &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return 0;
  const int signal = static_cast<int>(info.ssi_signo);
  if (signal == SIGINT || signal == SIGQUIT) last_interrupt_ = signal;
  return signal;
}

// Signals the whole process group, as the terminal does, so that the rest of a pipeline stops too.
// SIGCONT is blocked: after the stop it is still pending. If it is not, the kernel did not stop
// bawn (orphaned process group).
bool JobSignals::suspend(int signal) {
  forget(SIGCONT);
  const sigset_t one = only(signal);
  sigset_t before;
  kill(0, signal);
  pthread_sigmask(SIG_UNBLOCK, &one, &before);  // bawn stops here until SIGCONT
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return is_pending(SIGCONT);
}

}  // namespace bawn::cli
