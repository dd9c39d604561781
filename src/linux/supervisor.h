// The loop that feeds the state machine: one run, from launch to the last byte of output.
//
// Waits on init's reports, init itself, the output pump, three timers, the caller's terminal and
// its wish to cancel; never polls. It returns by deadline + 1 s whatever the command does. A
// deadline that passes while this process is stopped (Ctrl-Z) is kept when it goes on.
#pragma once

#include <chrono>
#include <optional>

#include "base/result.h"
#include "base/stopwatch.h"
#include "linux/init/messages.h"
#include "linux/launch.h"
#include "linux/pump.h"
#include "linux/run_cgroup.h"
#include "linux/terminal_session.h"
#include "policy/policy.h"
#include "supervise/machine.h"
#include "supervise/terminal_control.h"

namespace bawn {

struct Supervision {
  Limits limits;
  int cancel_fd = -1;    // borrowed; readable means stop the run. -1: nobody will
  Pump* pump = nullptr;  // borrowed; null if the command has the caller's own stdio
  TerminalSession* terminal =
      nullptr;  // borrowed; null unless a private terminal stands for the caller's
  const TerminalControl* control =
      nullptr;  // borrowed; the caller's signals, for a run without such a terminal
  const RunCgroup* cgroup = nullptr;  // borrowed; null if the run has none
  Stopwatch* stopwatch = nullptr;     // borrowed; null if nobody wants to know
};

// An init that has said its last word. To end takes it a while, in which an outcome can be made;
// whoever drops this waits for that and reaps it, unless it takes longer than an answer may.
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

  // Whether it has ended.
  bool wait();

 private:
  Fd handle_;  // pidfd; none once it was waited for
  std::chrono::milliseconds patience_{};
};

struct Supervised {
  LeavingInit init;
  RunProgress run;                      // state is `finished`
  std::optional<init::Report> start;    // the command ran: pid and readback
  std::optional<init::Report> failure;  // it did not: step and errno
  bool init_gone = false;          // and with it the private directory; in namespaces there is none
  std::optional<int> wait_status;  // of the command itself
  init::Report last{};             // usage as of the last report
};

// What the loop needs of the kernel, made before anything is launched: if that fails, nothing ran.
struct SupervisionTools {
  Fd epoll;
  Fd wall;  // timers
  Fd cpu;
  Fd phase;
};
[[nodiscard]] Result<SupervisionTools> make_supervision_tools(int cancel_fd);

// Takes the launched init over; when this returns the tree is dead, or known to be unkillable
// (run.tree_gone).
[[nodiscard]] Result<Supervised> supervise(Launched launched, const Supervision& supervision,
                                           SupervisionTools tools);

}  // namespace bawn
