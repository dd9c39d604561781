// The loop that feeds the state machine: one run, from launch to the last byte of output.
//
// It waits for init's reports, init's exit, the output pump, three timers, the caller's terminal
// and the caller's wish to cancel; it never polls. It returns at the latest 1 s after a deadline,
// whatever the command does. A deadline that passes while this process is stopped (Ctrl-Z) takes
// effect when it continues. The decisions are in supervise/machine.h.
#pragma once

#include <chrono>
#include <optional>

#include "backend/linux/cgroup/run_cgroup.h"
#include "backend/linux/launch/launch.h"
#include "backend/linux/stdio/pump.h"
#include "backend/linux/terminal/terminal_session.h"
#include "backend/linux/wire/messages.h"
#include "base/result.h"
#include "base/stopwatch.h"
#include "policy/limit.h"
#include "supervise/machine.h"
#include "supervise/terminal_control.h"

namespace bawn::linux_ {

// Everything needed to supervise one run. The pointers and cancel_fd are borrowed for the call of
// supervise().
struct Supervision {
  Limits limits;
  // Readable: stop the run. -1: the run cannot be cancelled.
  int cancel_fd = -1;
  // Null if no stream of the command goes through bawn.
  Pump* pump = nullptr;
  // Null unless a private terminal replaces the caller's.
  TerminalSession* terminal = nullptr;
  // The caller's signals, for a run without such a terminal.
  const TerminalControl* control = nullptr;
  const RunCgroup* cgroup = nullptr;  // null if the run has none
  Stopwatch* stopwatch = nullptr;     // null: times are not recorded
};

// Owns an init that has sent its last report. It needs a while to exit, during which the outcome
// can be made. The destructor waits for the exit and reaps init, but no longer than `patience`.
class LeavingInit {
 public:
  LeavingInit() = default;
  LeavingInit(Fd handle, std::chrono::milliseconds patience)
      : handle_(std::move(handle)), patience_(patience) {}
  LeavingInit(LeavingInit&&) = default;
  LeavingInit& operator=(LeavingInit&& other) noexcept {
    std::swap(handle_, other.handle_);
    std::swap(patience_, other.patience_);
    return *this;
  }
  LeavingInit(const LeavingInit&) = delete;
  LeavingInit& operator=(const LeavingInit&) = delete;
  ~LeavingInit() { wait(); }

  // Waits at most `patience` for the exit and reaps init. Whether init has ended.
  bool wait();

 private:
  Fd handle_;  // pidfd; empty after wait()
  std::chrono::milliseconds patience_{};
};

struct Supervised {
  LeavingInit init;
  RunProgress run;                      // state is `finished`
  std::optional<init::Report> start;    // the command ran: pid and readback
  std::optional<init::Report> failure;  // the command did not run: step and errno
  // Init has exited, after removing the private directory. Not waited for where there is none.
  bool init_gone = false;
  std::optional<int> wait_status;  // of the command itself
  init::Report last{};             // usage as of the last report
};

// Descriptors that the loop needs, made before the launch: if making them fails, nothing has run.
struct SupervisionTools {
  Fd epoll;
  Fd wall;  // timerfds, this and the next two
  Fd cpu;
  Fd phase;
};
// `cancel_fd` is borrowed for the run; -1: none.
[[nodiscard]] Result<SupervisionTools> make_supervision_tools(int cancel_fd);

// Takes over the launched init. When this returns, the process tree is dead, or known to be
// unkillable (run.tree_gone). An error means that supervision failed; closing the socket to init
// then ends the run.
[[nodiscard]] Result<Supervised> supervise(Launched launched, const Supervision& supervision,
                                           SupervisionTools tools);

}  // namespace bawn::linux_
