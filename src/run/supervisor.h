// Feeds the state machine of one run (supervise/machine.h) with events and with the time. The same
// on every system.
//
// It has no loop and waits for nothing. A backend tells it what happened; Run asks it when to look
// at the clock next. It carries out the machine's actions on the run's ProcessControl. The run has
// its outcome at the latest 1 s after a deadline, whatever the command does. A deadline that passes
// while this process is stopped (Ctrl-Z) takes effect when it continues. One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/stopwatch.h"
#include "capture/pump_shape.h"
#include "policy/policy.h"
#include "run/process_control.h"
#include "supervise/machine.h"

namespace bawn {

class Supervisor {
 public:
  using Clock = std::chrono::steady_clock;
  using Moment = std::optional<Clock::time_point>;

  // The pause between two looks at a tree that is being killed.
  static constexpr std::chrono::milliseconds kBetweenLooks{10};

  // `tree` and `stopwatch` are borrowed. The wall-time limit counts from here.
  Supervisor(const Limits& limits, ProcessControl& tree, Stopwatch& stopwatch);

  // Events. Feed those that are known at once in the order in which they happened.
  void happen(RunEvent event);
  void started();
  void command_exited();
  void tree_gone();
  void output(const PumpStanding& standing);
  // The tree has used this much CPU time; the answer to ProcessControl::cpu_time_us().
  void cpu_time(std::uint64_t used_us);

  // Handles every deadline that has passed.
  void look_at_clock();
  // The next moment at which look_at_clock() has something to do; none if only events can matter.
  [[nodiscard]] Moment next() const;

  [[nodiscard]] bool finished() const { return progress_.state == RunState::finished; }
  [[nodiscard]] RunProgress& progress() { return progress_; }

 private:
  void kill();
  void ask_cpu_time();

  Limits limits_;
  ProcessControl& tree_;
  Stopwatch& stopwatch_;
  RunProgress progress_;
  Moment wall_;
  Moment cpu_;
  Moment phase_;  // end of the grace period, or of the time for the last output
  Moment look_;   // when to kill again
  bool reader_slow_ = false;
};

}  // namespace bawn
