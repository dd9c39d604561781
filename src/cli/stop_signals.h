// While a run goes on, the signals that mean "stop" are read from a file instead of ending bawn at
// once.
//
// Caught only from the moment there is something to stop: before that, Ctrl-C ends bawn as it ends
// any program.
#pragma once

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::cli {

// What Ctrl-C and Ctrl-\\ send: on a terminal they are meant for the command, and JobSignals has
// them.
enum class Keyboard { stops_the_run, belongs_to_the_command };

class StopSignals {
 public:
  [[nodiscard]] Result<void> catch_them(Keyboard keyboard = Keyboard::stops_the_run);

  // Readable once one has come.
  [[nodiscard]] int fd() const { return fd_.get(); }

  // The signal that came, or 0; asked once.
  [[nodiscard]] int caught() const;

 private:
  Fd fd_;
};

}  // namespace bawn::cli
