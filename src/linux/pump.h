// Takes in what a run prints, in bounded memory, without ever making the caller wait.
//
// The pump makes the pipes, gives the child its ends and keeps the others. stdin, too, can be
// passed on (input_stream.h). The supervisor waits for poll_fd() beside its timers and calls step()
// when it is readable; one step does a bounded amount of work, so a child that floods cannot keep a
// deadline from being seen. Each stream is either captured (kept for the outcome, through an
// optional filter) or relayed (passed on to a descriptor of the caller and not kept). Both count
// against one quota; without one, what goes from pipe to pipe is not copied. A third stream, of a
// private terminal, is connected when the terminal exists.
//
// Memory: at most kMaxKeptBytes for both captured streams together, and per stream one chunk for a
// relay whose target is full. What does not fit in the quota or in memory is read and thrown away,
// so that the child does not block, and it is counted.
//
// One thread at a time. Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/result.h"
#include "capture/pump_shape.h"
#include "policy/policy.h"
#include "sys/fd.h"

namespace bawn {

inline constexpr std::size_t kPipeBytes = 1024 * 1024;
// What one stream may move in one step, so that a flood can starve neither the other stream nor the
// deadline. Reads are counted, not bytes: a child chooses how little there is in each.
inline constexpr std::size_t kMaxStepReads = 8;
inline constexpr std::size_t kMaxStepBytes = kMaxStepReads * kPumpChunk;

struct CaptureSink {
  ByteFilter* filter =
      nullptr;  // borrowed, one per stream, outlives the pump; null keeps bytes as they are
};
struct RelaySink {
  int target = -1;          // borrowed during create() only
  Limit most_file_bytes{};  // the size that a regular file may reach
};
struct StdoutSink {};  // stderr: the same pipe as stdout
struct NoSink {};      // no pipe is made for this stream
using Sink = std::variant<CaptureSink, RelaySink, StdoutSink, NoSink>;

struct TextSource {
  std::string text;
};
struct RelaySource {
  int source = -1;             // borrowed during create() only
  bool moves_position = true;  // of a regular file, to where the command stopped reading
};
struct EmptySource {};  // nothing to read
struct NoSource {};     // the command's stdin is not the pump's business
using InputSource = std::variant<NoSource, EmptySource, TextSource, RelaySource>;

struct PumpOptions {
  Sink stdout_sink;
  Sink stderr_sink;
  Sink terminal_sink = NoSink{};
  InputSource stdin_source = EmptySource{};
  Limit output_bytes = 0;
};

// All close-on-exec, blocking and numbered 3 or higher; empty without a source or sink.
using ChildEnds = ChildEndsFor<Fd>;

struct PumpEvent : PumpStanding {
  std::uint64_t bytes = 0;  // read in this step, from all streams
  bool relay_lost = false;  // a relay's target failed and its stream was closed; stays true
};

struct PumpedOutput : PumpedStreams {
  PumpedStream terminal_stream;
};

class Pump {
 public:
  [[nodiscard]] static Result<Pump> create(const PumpOptions& options);
  Pump(Pump&&) noexcept;
  Pump& operator=(Pump&&) noexcept;
  ~Pump();

  // Once: a second call hands out empty descriptors.
  [[nodiscard]] ChildEnds take_child_ends();

  // The other side of the terminal that terminal_sink is for: non-blocking, and read by nobody
  // else. Until it is there, the streams are not closed.
  [[nodiscard]] Result<void> connect_terminal(Fd master);

  // Readable (EPOLLIN) while there is something for step() to do; can be nested in another epoll.
  [[nodiscard]] int poll_fd() const;

  // Whether there is an output stream that has yet to end.
  [[nodiscard]] bool has_open_streams() const;

  // Handles what is ready, without waiting. After an error the pump is good for finish() only.
  [[nodiscard]] Result<PumpEvent> step();

  // Closes everything and returns what was taken in. Bytes a full relay target had not accepted are
  // lost, and marked as truncated. The pump is empty afterwards.
  [[nodiscard]] PumpedOutput finish();

 private:
  struct State;
  explicit Pump(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace bawn
