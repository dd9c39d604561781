// A spawned command, until its processes are gone, with calls that every Unix has.
//
// It tells the supervisor what has happened and takes no decision about the run's end. A tree is
// found by looking at the process table, so its end is seen only by looking again. One thread at a
// time.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "backend/posix/event_set.h"
#include "backend/posix/process_tree.h"
#include "backend/posix/pump.h"
#include "backend/posix/spawn.h"
#include "base/result.h"
#include "outcome/outcome.h"
#include "run/process_control.h"
#include "run/supervisor.h"

namespace bawn::posix {

// What is known of a run that has ended.
struct Supervised {
  RunProgress run;           // state is `finished`
  bool command_ran = false;  // false: the forerunner ended before it executed the command
  // Of the command or of its forerunner; empty if it could not be reaped.
  std::optional<int> wait_status;
  Usage usage;
  std::size_t processes_seen = 0;  // most processes alive at one time
};

class LiveRun final : public ProcessControl {
 public:
  // Borrowed for the object's life.
  struct Parts {
    EventSet* events = nullptr;
    Pump* pump = nullptr;  // null if the command has the caller's stdio
    // The process-table name of the program that executes the command (sandbox-exec); "" if the
    // command is started directly. A process that ends under this name never became the command.
    std::string forerunner{};
  };

  LiveRun(Spawned spawned, Parts parts);
  // Kills what is left, and reaps the child if it has ended.
  ~LiveRun() override;

  [[nodiscard]] Result<void> begin(Supervisor& supervisor);
  [[nodiscard]] Result<void> step(Supervisor& supervisor);

  // SIGTERM to every process that was found.
  [[nodiscard]] bool terminate() override;
  [[nodiscard]] Killed kill() override;
  [[nodiscard]] std::optional<std::uint64_t> cpu_time_us() override;

  // How long to wait for killed processes before the outcome is made without them.
  [[nodiscard]] std::chrono::milliseconds release(const RunProgress& progress, bool gave_up);
  // Kills again what is left. True if nothing is; sets progress.tree_gone.
  [[nodiscard]] bool is_gone(RunProgress& progress);
  // Reaps the child. Call it once, at the end.
  [[nodiscard]] Supervised end(const RunProgress& progress);

 private:
  [[nodiscard]] Result<void> watch() const;
  void look();
  void signal_tree(int signal);
  void reap();

  Spawned spawned_;
  Parts parts_;
  ProcessTree tree_;
  bool exit_seen_ = false;
  bool released_ = false;
  bool reaped_ = false;
  Supervised ended_;
};

// Supervises a process until its end, and waits for it: as Run does, for a process that is no run.
// `parts.events` is not used. If `cancel_fd` becomes readable, the process is cancelled as a run
// is; it is borrowed. -1: it cannot be cancelled.
[[nodiscard]] Result<Supervised> supervise(Spawned spawned, const Limits& limits,
                                           LiveRun::Parts parts = {}, int cancel_fd = -1);

}  // namespace bawn::posix
