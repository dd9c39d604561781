// Captures or relays a run's output in bounded memory, without making the caller wait: the pump on
// Windows.
//
// Like backend/linux/stdio/pump.h, with overlapped named pipes: every finished read or write
// arrives at the completion port that the supervisor waits for, and step() handles one of them.
// Quota, redaction and captured text are those of capture/. Used by one thread.
#pragma once

#include <utility>

#include "backend/windows/handle.h"
#include "base/hidden.h"
#include "base/result.h"
#include "capture/pump_shape.h"

namespace bawn::windows {

using OutputSink = OutputSinkFor<HANDLE>;
using PumpOptions = PumpOptionsFor<HANDLE>;
using ChildEnds = ChildEndsFor<Handle>;  // inheritable

// Completion keys of the pump: kFirstPumpKey and the few after it.
inline constexpr ULONG_PTR kFirstPumpKey = 32;

class Pump {
 public:
  [[nodiscard]] static Result<Pump> create(const PumpOptions& options, HANDLE port);

  [[nodiscard]] ChildEnds take_child_ends();

  // Begins to read. Call after take_child_ends().
  void start();

  // Handles one completion with a key of the pump. `bytes` is the system's count; `well` is false
  // if the operation failed.
  void step(ULONG_PTR key, DWORD bytes, bool well);

  [[nodiscard]] PumpStanding standing() const;

  // Stops everything and returns the captured streams. The pump is empty afterwards.
  [[nodiscard]] PumpedStreams finish();

 private:
  struct State;
  explicit Pump(Hidden<State> state) : state_(std::move(state)) {}
  Hidden<State> state_;
};

}  // namespace bawn::windows
