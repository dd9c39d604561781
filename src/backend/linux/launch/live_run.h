// A command that was launched, until its processes are gone: what init reports, what its streams
// and its terminal need.
//
// It tells the supervisor what has happened and takes no decision about the run's end. Destroying
// it ends the run. One thread at a time.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "api/run.h"
#include "backend/linux/cgroup/run_cgroup.h"
#include "backend/linux/launch/conclude.h"
#include "backend/linux/launch/init_link.h"
#include "backend/linux/launch/run_events.h"
#include "backend/linux/stdio/pump.h"
#include "backend/linux/terminal/terminal_session.h"
#include "run/supervisor.h"
#include "supervise/job_control.h"

namespace bawn::linux_ {

class LiveRun {
 public:
  // Borrowed for the object's life.
  struct Parts {
    RunEvents* events = nullptr;
    Pump* pump = nullptr;                 // null if no stream goes through bawn
    TerminalSession* terminal = nullptr;  // null unless a private terminal replaces the caller's
    const SuspendProcess* suspend = nullptr;
    const RunCgroup* cgroup = nullptr;  // null if the run has none
  };

  LiveRun(Launched launched, const Parts& parts) : link_(std::move(launched)), parts_(parts) {}

  // Call it once, before the first event.
  [[nodiscard]] Result<void> begin(Supervisor& supervisor);
  // For the sources control, init, pump and terminal.
  [[nodiscard]] Result<void> handle(RunEvents::Source source, Supervisor& supervisor);
  [[nodiscard]] Result<void> job_signal(JobSignal signal, Supervisor& supervisor) const;

  void send(init::ControlCode code) const { link_.send(code); }

  // The run is over. Returns how long init may take to exit before the outcome is made without it.
  [[nodiscard]] std::chrono::milliseconds release(const RunProgress& progress, bool gave_up);
  [[nodiscard]] bool has_ended(RunProgress& progress);
  // Nothing that init does from now on is part of the outcome: the tree is gone, and there is no
  // private directory that init would have to remove.
  [[nodiscard]] bool owes_nothing(const RunProgress& progress) const;

  [[nodiscard]] Supervised& ended() { return ended_; }
  [[nodiscard]] const Supervised& ended() const { return ended_; }
  [[nodiscard]] Result<void> resize(unsigned rows, unsigned columns) const;

 private:
  [[nodiscard]] Result<void> read_reports(Supervisor& supervisor);
  [[nodiscard]] Result<void> handle_report(const init::Report& report, Supervisor& supervisor);
  void command_exited(int status, Supervisor& supervisor);
  [[nodiscard]] Result<void> init_ended(Supervisor& supervisor);
  [[nodiscard]] Result<void> step_pump(Supervisor& supervisor);
  [[nodiscard]] Result<void> connect_terminal();
  [[nodiscard]] Result<void> follow_stop(int status, Supervisor& supervisor);
  [[nodiscard]] std::uint64_t counted_cpu_us() const;
  void stop_watching();

  InitLink link_;
  Parts parts_;
  Fd master_;  // of the private terminal: until the pump takes it, or a duplicate for resize()
  Supervised ended_;
  bool listening_ = true;
  std::uint64_t pumped_ = 0;  // bytes moved in the last step of the pump
};

}  // namespace bawn::linux_
