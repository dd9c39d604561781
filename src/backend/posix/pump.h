// Captures or relays a run's output in bounded memory, without making the caller wait: the pump for
// poll(2).
//
// Like backend/linux/stdio/pump.h, without epoll: the supervisor asks what to wait for before each
// poll and calls step() after it. One step does a bounded amount of work, so a command that floods
// its output cannot delay a deadline. Quota, redaction and captured text are those of capture/.
// Used by one thread.
#pragma once

#include <poll.h>

#include <utility>
#include <vector>

#include "base/hidden.h"
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

  // The command's ends of the pipes. Once: a second call returns empty descriptors.
  [[nodiscard]] ChildEnds take_child_ends();

  // Appends the descriptors to poll for. If one of them is ready, step() has something to do.
  void add_waits(std::vector<pollfd>& waits) const;

  // Handles what is ready, without blocking.
  PumpStanding step();

  // Closes everything and returns the captured streams. The pump is empty afterwards.
  [[nodiscard]] PumpedStreams finish();

 private:
  struct State;
  explicit Pump(Hidden<State> state) : state_(std::move(state)) {}
  Hidden<State> state_;
};

}  // namespace bawn::posix
