#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "front/cli/signals/run_signals.h"
#include "sys/pipe.h"

namespace bawn::cli {
namespace {

constexpr std::array<int, 4> kStopping = {SIGTERM, SIGHUP, SIGINT, SIGQUIT};

// Globals, because a signal handler gets no context. Lock-free, so that the handler may use them.
std::atomic<int> first_caught = 0;
std::atomic<int> wake_fd = -1;
static_assert(std::atomic<int>::is_always_lock_free);

extern "C" void note_stop(int signal) {
  const int error = errno;
  int none = 0;
  first_caught.compare_exchange_strong(none, signal);
  [[maybe_unused]] const ssize_t told =
      ::write(wake_fd.load(), "", 1);  // if the pipe is full, its reader is awake already
  errno = error;
}

}  // namespace

// The command is in a new session, so Ctrl-C at the terminal signals bawn only. It cancels the run.
struct RunSignals::State {
  sys::PipeEnds pipe;
  std::array<struct sigaction, kStopping.size()> before{};
  bool catching = false;
};

RunSignals::RunSignals() : state_(std::make_unique<State>()) {}

RunSignals::~RunSignals() {
  if (!state_->catching) return;
  for (std::size_t i = 0; i < kStopping.size(); ++i)
    ::sigaction(kStopping[i], &state_->before[i], nullptr);
  wake_fd = -1;
}

Result<void> RunSignals::catch_for(RunOptions& /*options*/, KeyboardOwner /*keyboard*/) {
  BAWN_ASSIGN(state_->pipe, sys::pipe());
  BAWN_TRY(sys::set_nonblocking(state_->pipe.read.get()));
  BAWN_TRY(sys::set_nonblocking(state_->pipe.write.get()));
  first_caught = 0;
  wake_fd = state_->pipe.write.get();
  state_->catching = true;
  for (std::size_t i = 0; i < kStopping.size(); ++i) {
    ::sigaction(kStopping[i], nullptr, &state_->before[i]);
    if (state_->before[i].sa_handler == SIG_IGN) continue;  // nohup: stays ignored
    struct sigaction noting {};
    noting.sa_handler = note_stop;
    noting.sa_flags = SA_RESTART;
    ::sigaction(kStopping[i], &noting, nullptr);
  }
  return {};
}

int RunSignals::fd() const { return state_->pipe.read.get(); }

void RunSignals::hand_to(Run& run) {
  std::array<char, 64> bytes{};
  while (::read(fd(), bytes.data(), bytes.size()) > 0) continue;
  run.cancel();
}

int RunSignals::stopped_by(const Outcome& outcome) const {
  return outcome.status == Status::cancelled ? first_caught.load() : 0;
}

}  // namespace bawn::cli
