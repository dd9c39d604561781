// Job control for a run on bawn's terminal (Linux): SIGWINCH, SIGCONT, SIGTSTP, SIGINT and SIGQUIT
// are blocked and read from a signalfd.
//
// bawn is a job of the shell, and the command is a job of bawn. Signals from the shell and the
// terminal are passed on to the command. If the command stops, bawn stops itself as well, so that
// the shell sees a stopped job.
//
// Not for a run without a terminal: StopSignals is enough there.
#pragma once

#include "base/result.h"
#include "supervise/terminal_control.h"
#include "sys/fd.h"

namespace bawn::cli {

class JobSignals {
 public:
  // Blocks the signals in the calling thread; call it before other threads are started. They stay
  // blocked after this object is destroyed, and also if this fails.
  [[nodiscard]] Result<void> catch_them();

  // Borrows this object, which must outlive the run. Valid after catch_them().
  [[nodiscard]] TerminalControl control();

  // The last SIGINT or SIGQUIT that the run received through control(), or 0.
  [[nodiscard]] int last_interrupt() const { return last_interrupt_; }

 private:
  int next();
  static bool suspend(int signal);

  Fd fd_;
  int last_interrupt_ = 0;
};

}  // namespace bawn::cli
