// Takes in what a run prints, in bounded memory, without ever making the caller wait: the pump for
// poll(2).
//
// Like linux/pump.h, without an epoll: the supervisor asks what to wait for before each wait, and
// calls step() after it. One step does a bounded amount of work, so a command that floods cannot
// keep a deadline from being seen. Quota, redaction and captured text are those of capture/.
#pragma once

#include <poll.h>

#include <memory>
#include <vector>

#include "base/result.h"
#include "capture/pump_shape.h"
#include "sys/fd.h"

namespace bawn::posix {

using OutputSink = OutputSinkFor<int>;
using PumpOptions = PumpOptionsFor<int>;
using ChildEnds = ChildEndsFor<Fd>;  // all close-on-exec and 3 or higher

class Pump {
 public:
  [[nodiscard]] static Result<Pump> create(const PumpOptions& options);
  Pump(Pump&&) noexcept;
  Pump& operator=(Pump&&) noexcept;
  ~Pump();

  // Once: a second call hands out empty descriptors.
  [[nodiscard]] ChildEnds take_child_ends();

  // Adds what to wait for; step() has something to do when one of them is ready.
  void add_waits(std::vector<pollfd>& waits) const;

  // Handles what is ready, without waiting.
  PumpStanding step();

  // Closes everything and returns what was taken in. The pump is empty afterwards.
  [[nodiscard]] PumpedStreams finish();

 private:
  struct State;
  explicit Pump(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bawn::posix
