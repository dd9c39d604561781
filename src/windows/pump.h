// Takes in what a run prints, in bounded memory, without ever making the caller wait: the pump of Windows.
//
// Like linux/pump.h, with overlapped named pipes: every finished read or write arrives at the completion port that the
// supervisor waits for, and step() deals with one of them. Quota, redaction and the record are those of capture/.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "capture/intake.h"
#include "windows/handle.h"

namespace bawn::windows {

enum class SinkKind {
  none,     // no pipe: the command has the caller's own
  capture,  // kept for the record
  relay,    // passed on to a file of the caller's
};

struct OutputSink {
  SinkKind kind = SinkKind::none;
  ByteFilter* filter = nullptr;  // capture; borrowed, may be null
  HANDLE target = nullptr;       // relay; borrowed
};

struct PumpOptions {
  OutputSink stdout_sink;
  OutputSink stderr_sink;
  bool own_stdin = true;  // the command gets stdin_text, or nothing, instead of the caller's
  std::optional<std::string> stdin_text;
  Limit output_bytes = 0;
};

// What the command gets; inheritable. Empty where it has the caller's own. Close them once it has them.
struct ChildEnds {
  Handle stdin_read;
  Handle stdout_write;
  Handle stderr_write;
};

struct PumpEvent {
  bool output_exceeded = false;
  bool streams_closed = false;
  bool reader_slow = false;
};

struct PumpedOutput {
  PumpedStream stdout_stream;
  PumpedStream stderr_stream;
};

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

  // One completion with a key of the pump; `bytes` as the system counted them, of an operation that went well or not.
  void step(ULONG_PTR key, DWORD bytes, bool well);

  [[nodiscard]] PumpEvent standing() const;

  // Stops everything and returns what was taken in. The pump is empty afterwards.
  [[nodiscard]] PumpedOutput finish();

 private:
  struct State;
  explicit Pump(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bawn::windows
