#include <windows.h>

#include <atomic>
#include <csignal>

#include "backend/windows/handle.h"
#include "backend/windows/system_text.h"
#include "front/cli/signals/run_signals.h"

namespace bawn::cli {
namespace {

// A global, because Windows calls the handler in a new thread and passes only the kind of event.
std::atomic<HANDLE> stop_event = nullptr;

BOOL WINAPI stop_run(DWORD /*what*/) {
  HANDLE event = stop_event.load();
  if (event == nullptr) return FALSE;
  SetEvent(event);
  return TRUE;
}

}  // namespace

struct RunSignals::State {
  windows::Handle event;
};

RunSignals::RunSignals() : state_(std::make_unique<State>()) {}

RunSignals::~RunSignals() {
  if (!state_->event) return;
  stop_event = nullptr;
  SetConsoleCtrlHandler(stop_run, FALSE);
}

// The event resets itself when it has been waited for.
Result<void> RunSignals::catch_for(RunOptions& /*options*/, KeyboardOwner /*keyboard*/) {
  state_->event = windows::Handle(CreateEventW(nullptr, FALSE, FALSE, nullptr));
  if (!state_->event) return windows::system_failure(GetLastError(), "create an event");
  stop_event = state_->event.get();
  if (SetConsoleCtrlHandler(stop_run, TRUE) == 0)
    return windows::system_failure(GetLastError(), "listen to the console");
  return {};
}

int RunSignals::fd() const { return HandleToLong(state_->event.get()); }

void RunSignals::hand_to(Run& run) { run.cancel(); }

int RunSignals::stopped_by(const Outcome& outcome) const {
  return outcome.status == Status::cancelled ? SIGINT : 0;
}

}  // namespace bawn::cli
