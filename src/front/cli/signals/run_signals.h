// Signals that stop or suspend a run: SIGTERM, Ctrl-C, Ctrl-Z, or Ctrl-C in a Windows console. They
// cancel the run or reach the command instead of ending bawn.
//
// Nothing is caught before catch_for(), so that Ctrl-C ends bawn at once while there is no run to
// stop. One object at a time: signal handling is process-wide. There is one implementation per
// system: run_signals_linux.cc, run_signals_macos.cc, run_signals_windows.cc.
#pragma once

#include <memory>

#include "api/run.h"
#include "api/run_options.h"
#include "base/result.h"
#include "outcome/outcome.h"

namespace bawn::cli {

// Decides on Linux whether Ctrl-C, Ctrl-\\ and Ctrl-Z are handed to the run as job control. macOS
// and Windows ignore it: Ctrl-C cancels the run.
enum class KeyboardOwner {
  command,  // stdin, stdout or stderr is a terminal
  nobody,   // the run has no terminal; SIGINT and SIGQUIT cancel it
};

class RunSignals {
 public:
  RunSignals();
  RunSignals(const RunSignals&) = delete;
  RunSignals& operator=(const RunSignals&) = delete;
  // Restores the previous handlers on macOS and removes the console handler on Windows. On Linux
  // the signals stay blocked.
  ~RunSignals();

  // Catches the signals, and sets `suspend` in `options` if the command owns the keyboard (Linux).
  // Call it once, before other threads are started. After an error, start no run.
  [[nodiscard]] Result<void> catch_for(RunOptions& options, KeyboardOwner keyboard);

  // Readable once a signal has come. Borrowed. On Windows the handle of an event.
  [[nodiscard]] int fd() const;
  // Takes the signals that have come: cancels the run, or hands them to its job control.
  void hand_to(Run& run);

  // The number of the signal that cancelled the run; 0 if the run was not cancelled. Always SIGINT
  // on Windows.
  [[nodiscard]] int stopped_by(const Outcome& outcome) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Steps the run until it is done, and hands it every signal that comes.
[[nodiscard]] Outcome finish(Run run, RunSignals& signals);

}  // namespace bawn::cli
