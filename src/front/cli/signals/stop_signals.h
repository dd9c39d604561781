// The signals that mean "stop" (Linux): SIGTERM, SIGHUP and, without a terminal, SIGINT and
// SIGQUIT. During a run they are blocked and read from a signalfd, so that bawn can end the run
// first.
//
// Nothing is caught before catch_them(), so that Ctrl-C ends bawn at once while there is no run to
// stop. Not for job control: see job_signals.h.
#pragma once

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::cli {

// Who gets SIGINT and SIGQUIT (Ctrl-C, Ctrl-\\). On a terminal they are meant for the command, and
// JobSignals reads them.
enum class Keyboard { stops_the_run, belongs_to_the_command };

class StopSignals {
 public:
  // Blocks the signals in the calling thread; call it before other threads are started. They stay
  // blocked after this object is destroyed, and also if this fails.
  [[nodiscard]] Result<void> catch_them(Keyboard keyboard = Keyboard::stops_the_run);

  // Borrowed; readable once a signal has come. -1 before catch_them().
  [[nodiscard]] int fd() const { return fd_.get(); }

  // Takes the next signal from the signalfd and returns its number; 0 if there is none.
  [[nodiscard]] int caught() const;

 private:
  Fd fd_;
};

}  // namespace bawn::cli
