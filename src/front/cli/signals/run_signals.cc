#include "front/cli/signals/run_signals.h"

#include "run/wait.h"

namespace bawn::cli {

Outcome finish(Run run, RunSignals& signals) {
  while (!run.done()) {
    if (wait_for_either(run.fd(), signals.fd())) signals.hand_to(run);
    run.step();
  }
  return run.outcome();
}

}  // namespace bawn::cli
