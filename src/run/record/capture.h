// The streams of a run on a system without private terminals (macOS, Windows): which of them bawn
// takes in, the pump that does it, and the outcome's record of them.
//
// `Pump` is the system's; it moves the bytes. One object serves one run; one thread at a time.
#pragma once

#include <optional>
#include <utility>

#include "capture/pump_shape.h"
#include "outcome/outcome.h"
#include "plan/plan.h"
#include "run/backend.h"
#include "run/record/captured_output.h"
#include "run/record/pump_plan.h"

namespace bawn {

template <class Pump, class ChildEnds, class File>
class Capture {
 public:
  Capture(const Policy& policy, const Plan& plan)
      : limits_(plan.limits), record_(policy, plan.environment) {}
  Capture(const Capture&) = delete;  // the pump borrows filters from record_
  Capture& operator=(const Capture&) = delete;

  // Makes the pump. `out` and `err` are the caller's files, borrowed. `more` is passed on to
  // Pump::create().
  template <class... More>
  [[nodiscard]] Result<void> open(const RunInput& input, File out, File err, More... more) {
    const PumpOptionsFor<File> options = plan_pump(input.options, input.policy.limits.output_bytes,
                                                   input.request, record_, out, err);
    BAWN_ASSIGN(Pump pump, Pump::create(options, more...));
    pump_.emplace(std::move(pump));
    ends_ = pump_->take_child_ends();
    return {};
  }

  // The command's ends; empty where it uses the caller's file.
  [[nodiscard]] ChildEnds& ends() { return ends_; }
  // Call it once the command has its files: a stream ends only when all its write ends are closed.
  void close_child_ends() { ends_ = {}; }
  [[nodiscard]] Pump& pump() { return *pump_; }

  [[nodiscard]] PumpedStreams finish() { return pump_->finish(); }
  void record(const PumpedStreams& output, Outcome& outcome) const {
    record_.write(output.stdout_stream, output.stderr_stream, outcome);
    tell_lost_output("stdout", output.stdout_stream, limits_, outcome);
    tell_lost_output("stderr", output.stderr_stream, limits_, outcome);
  }

 private:
  Limits limits_;
  CapturedOutput record_;
  std::optional<Pump> pump_;
  ChildEnds ends_;
};

}  // namespace bawn
