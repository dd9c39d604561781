#include <sys/signalfd.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <optional>

#include "front/cli/signals/run_signals.h"
#include "sys/call.h"
#include "sys/fd.h"

namespace bawn::cli {
namespace {

template <class... Signals>
sigset_t set_of(Signals... signals) {
  sigset_t set;
  sigemptyset(&set);
  (sigaddset(&set, signals), ...);
  return set;
}

bool is_pending(int signal) {
  sigset_t pending;
  sigpending(&pending);
  return sigismember(&pending, signal) == 1;
}

void forget(int signal) {
  const sigset_t set = set_of(signal);
  const timespec now{};
  sigtimedwait(&set, nullptr, &now);
}

// Signals the whole process group, as the terminal does, so that the rest of a pipeline stops too.
// SIGCONT is blocked: after the stop it is still pending. If it is not, the kernel did not stop
// bawn (orphaned process group).
bool suspend(int signal) {
  forget(SIGCONT);
  const sigset_t one = set_of(signal);
  sigset_t before;
  kill(0, signal);
  pthread_sigmask(SIG_UNBLOCK, &one, &before);  // bawn stops here until SIGCONT
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return is_pending(SIGCONT);
}

std::optional<JobSignal> job_signal_of(int signal) {
  switch (signal) {
    case SIGWINCH:
      return JobSignal::resized;
    case SIGCONT:
      return JobSignal::continued;
    case SIGTSTP:
      return JobSignal::suspend;
    case SIGINT:
      return JobSignal::interrupt;
    case SIGQUIT:
      return JobSignal::quit;
    default:
      return std::nullopt;
  }
}

}  // namespace

// The signals are blocked and read from a signalfd. On a terminal bawn is a job of the shell, and
// the command is a job of bawn: the signals of the shell and the terminal are passed on to the
// command, and if the command stops, bawn stops as well, so that the shell sees a stopped job.
struct RunSignals::State {
  Fd fd;
  bool on_terminal = false;
  int first_stop = 0;      // the first signal that cancelled the run
  int last_interrupt = 0;  // the last SIGINT or SIGQUIT that was handed to its job control
};

RunSignals::RunSignals() : state_(std::make_unique<State>()) {}
RunSignals::~RunSignals() = default;

Result<void> RunSignals::catch_for(RunOptions& options, KeyboardOwner keyboard) {
  state_->on_terminal = keyboard == KeyboardOwner::command;
  if (state_->on_terminal) options.suspend = suspend;
  const sigset_t mask = state_->on_terminal
                            ? set_of(SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGWINCH, SIGCONT, SIGTSTP)
                            : set_of(SIGTERM, SIGHUP, SIGINT, SIGQUIT);
  pthread_sigmask(SIG_BLOCK, &mask, nullptr);
  BAWN_ASSIGN(const int fd, sys::checked("signalfd", [&] {
                return signalfd(-1, &mask, SFD_CLOEXEC | SFD_NONBLOCK);
              }));
  state_->fd = Fd(fd);
  return {};
}

int RunSignals::fd() const { return state_->fd.get(); }

void RunSignals::hand_to(Run& run) {
  signalfd_siginfo info{};
  while (read(fd(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
    const int signal = static_cast<int>(info.ssi_signo);
    const auto job_signal = state_->on_terminal ? job_signal_of(signal) : std::nullopt;
    if (job_signal) {
      if (signal == SIGINT || signal == SIGQUIT) state_->last_interrupt = signal;
      run.job_signal(*job_signal);
    } else {
      if (state_->first_stop == 0) state_->first_stop = signal;
      run.cancel();
    }
  }
}

int RunSignals::stopped_by(const Outcome& outcome) const {
  if (outcome.status != Status::cancelled) return 0;
  return state_->first_stop != 0 ? state_->first_stop : state_->last_interrupt;
}

}  // namespace bawn::cli
