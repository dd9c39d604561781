// Takes in what a run prints, in bounded memory, without ever making the caller wait: the pump for poll(2).
//
// Like linux/pump.h, without an epoll: the supervisor asks what to wait for before each wait, and calls step() after it.
// One step does a bounded amount of work, so a command that floods cannot keep a deadline from being seen. Quota, redaction
// and the record are those of capture/.
#pragma once

#include <poll.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "capture/intake.h"
#include "sys/fd.h"

namespace bawn::posix {

enum class SinkKind {
  none,     // no pipe: the command has the caller's own
  capture,  // kept for the record
  relay,    // passed on to a file of the caller's
};

struct OutputSink {
  SinkKind kind = SinkKind::none;
  ByteFilter* filter = nullptr;  // capture; borrowed, may be null
  int target = -1;               // relay; borrowed
};

struct PumpOptions {
  OutputSink stdout_sink;
  OutputSink stderr_sink;
  bool own_stdin = true;  // the command gets stdin_text, or nothing, instead of the caller's
  std::optional<std::string> stdin_text;
  Limit output_bytes = 0;
};

// What the command gets; all close-on-exec and 3 or higher. Empty where it has the caller's own. Close them once it has them.
struct ChildEnds {
  Fd stdin_read;
  Fd stdout_write;
  Fd stderr_write;
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
  PumpEvent step();

  // Closes everything and returns what was taken in. The pump is empty afterwards.
  [[nodiscard]] PumpedOutput finish();

 private:
  struct State;
  explicit Pump(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bawn::posix
