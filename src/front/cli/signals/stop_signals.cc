#include "front/cli/signals/stop_signals.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>

#include "sys/call.h"

namespace bawn::cli {

Result<void> StopSignals::catch_them(Keyboard keyboard) {
  sigset_t mask;
  sigemptyset(&mask);
  for (const int signal : {SIGTERM, SIGHUP}) sigaddset(&mask, signal);
  if (keyboard == Keyboard::stops_the_run) {
    for (const int signal : {SIGINT, SIGQUIT}) sigaddset(&mask, signal);
  }
  pthread_sigmask(SIG_BLOCK, &mask, nullptr);
  BAWN_ASSIGN(const int fd, sys::checked("signalfd", [&] {
                return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
              }));
  fd_ = Fd(fd);
  return {};
}

int StopSignals::caught() const {
  signalfd_siginfo info{};
  const bool whole = read(fd_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info);
  return whole ? static_cast<int>(info.ssi_signo) : 0;
}

}  // namespace bawn::cli
