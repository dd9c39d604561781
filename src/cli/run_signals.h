// What a person or another program does to stop or suspend a run, while it goes on: signals, or
// Ctrl-C in a console.
//
// Caught only from the moment there is something to stop: before that, Ctrl-C ends bawn as it ends
// any program. Each system has its own implementation: run_signals_linux.cc, run_signals_macos.cc,
// run_signals_windows.cc.
#pragma once

#include <memory>

#include "base/result.h"
#include "outcome/outcome.h"
#include "run/bawn.h"

namespace bawn::cli {

enum class KeyboardOwner {
  command,  // stdin, stdout or stderr is a terminal
  nobody,   // the run has nothing to do with a terminal
};

class RunSignals {
 public:
  RunSignals();
  RunSignals(const RunSignals&) = delete;
  RunSignals& operator=(const RunSignals&) = delete;
  ~RunSignals();

  // From now on they are told to the run with these options.
  [[nodiscard]] Result<void> catch_for(RunOptions& options, KeyboardOwner keyboard);

  // What stopped the run, as a number of a signal; 0 if none did.
  [[nodiscard]] int stopped_by(const Outcome& outcome) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bawn::cli
