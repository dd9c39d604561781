// The signals of job control, for a run on bawn's own terminal: read from a file instead of acting
// on bawn itself.
//
// bawn is a job of the shell that started it. What the shell and the terminal tell a job is passed
// on to the command, and what the command does as a job of bawn, bawn does as a job of the shell.
#pragma once

#include "base/result.h"
#include "supervise/terminal_control.h"
#include "sys/fd.h"

namespace bawn::cli {

class JobSignals {
 public:
  [[nodiscard]] Result<void> catch_them();

  // Refers to this object.
  [[nodiscard]] TerminalControl control();

  // The last SIGINT or SIGQUIT that was handed out, or 0.
  [[nodiscard]] int last_interrupt() const { return last_interrupt_; }

 private:
  int next();
  static bool suspend(int signal);

  Fd fd_;
  int last_interrupt_ = 0;
};

}  // namespace bawn::cli
