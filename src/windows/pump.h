// Takes in what a run prints, in bounded memory, without ever making the caller wait: the pump of
// Windows.
//
// Like linux/pump.h, with overlapped named pipes: every finished read or write arrives at the
// completion port that the supervisor waits for, and step() deals with one of them. Quota,
// redaction and captured text are those of capture/.
#pragma once

#include <memory>

#include "base/result.h"
#include "capture/pump_shape.h"
#include "windows/handle.h"

namespace bawn::windows {

using OutputSink = OutputSinkFor<HANDLE>;
using PumpOptions = PumpOptionsFor<HANDLE>;
using ChildEnds = ChildEndsFor<Handle>;  // inheritable

// Keys of the completions that belong to the pump: kFirstPumpKey and the few after it.
inline constexpr ULONG_PTR kFirstPumpKey = 16;

class Pump {
 public:
  [[nodiscard]] static Result<Pump> create(const PumpOptions& options, HANDLE port);
  Pump(Pump&&) noexcept;
  Pump& operator=(Pump&&) noexcept;
  ~Pump();

  [[nodiscard]] ChildEnds take_child_ends();

  // Begins to read. After the child's ends were taken.
  void start();

  // One completion with a key of the pump; `bytes` as the system counted them, of an operation that
  // went well or not.
  void step(ULONG_PTR key, DWORD bytes, bool well);

  [[nodiscard]] PumpStanding standing() const;

  // Stops everything and returns what was taken in. The pump is empty afterwards.
  [[nodiscard]] PumpedStreams finish();

 private:
  struct State;
  explicit Pump(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bawn::windows
