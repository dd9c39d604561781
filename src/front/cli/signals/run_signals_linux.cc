#include "front/cli/signals/run_signals.h"

#include "front/cli/signals/job_signals.h"
#include "front/cli/signals/stop_signals.h"

namespace bawn::cli {

struct RunSignals::State {
  StopSignals stop;
  JobSignals job;
};

RunSignals::RunSignals() : state_(std::make_unique<State>()) {}
RunSignals::~RunSignals() = default;

Result<void> RunSignals::catch_for(RunOptions& options, KeyboardOwner keyboard) {
  if (keyboard == KeyboardOwner::command) {
    BAWN_TRY(state_->job.catch_them());
    options.terminal = state_->job.control();
    BAWN_TRY(state_->stop.catch_them(Keyboard::belongs_to_the_command));
  } else {
    BAWN_TRY(state_->stop.catch_them());
  }
  options.cancel_fd = state_->stop.fd();
  return {};
}

int RunSignals::stopped_by(const Outcome& outcome) const {
  if (outcome.status != Status::cancelled) return 0;
  const int stopped = state_->stop.caught();
  return stopped != 0 ? stopped : state_->job.last_interrupt();
}

}  // namespace bawn::cli
