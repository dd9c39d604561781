// Takes in the output of a run, in bounded memory, without making the caller wait.
//
// The pump makes the pipes, hands the child's ends out and keeps the others. It can also relay
// stdin (input_stream.h). The supervisor waits for poll_fd() beside its timers and calls step()
// when it is readable. One step does a bounded amount of work, so that a child that floods its
// output cannot delay a deadline. Each stream is either captured (kept for the outcome, through an
// optional filter) or relayed (written to a descriptor of the caller's and not kept). Both count
// against one quota; without a quota, bytes from pipe to pipe are not copied. A third stream, of a
// private terminal, is connected when the terminal exists.
//
// Memory: at most kMaxKeptBytes for all captured streams together, one chunk for reading, and one
// chunk for each relay whose target is full. Bytes beyond the quota or the memory limit are read,
// counted and thrown away, so that the child does not block.
//
// One thread at a time. Linux.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "base/hidden.h"
#include "base/result.h"
#include "capture/pump_shape.h"
#include "policy/limit.h"
#include "sys/fd.h"

namespace bawn::linux_ {

inline constexpr std::size_t kPipeBytes = 1024 * 1024;
// The most that one stream moves in one step, so that a flood can starve neither the other streams
// nor the deadline. Reads are limited, not only bytes: the child decides how little each read
// returns.
inline constexpr std::size_t kMaxStepReads = 8;
inline constexpr std::size_t kMaxStepBytes = kMaxStepReads * kPumpChunk;

struct CaptureSink {
  // Borrowed, one per stream; must outlive the pump. Null: bytes are kept as they are.
  ByteFilter* filter = nullptr;
  OutputConsumer consumer{};  // gets the bytes, and none are kept; empty: they are kept
};
struct RelaySink {
  int target = -1;          // borrowed during create() only
  Limit most_file_bytes{};  // size that a regular file may reach
};
struct StdoutSink {};  // for stderr: the same pipe as stdout
struct NoSink {};      // no pipe is made for this stream
using Sink = std::variant<CaptureSink, RelaySink, StdoutSink, NoSink>;

struct TextSource {
  std::string text;
};
struct RelaySource {
  int source = -1;  // borrowed during create() only
  // Regular file: finish() sets the position to where the command stopped reading.
  bool moves_position = true;
};
struct PipeSource {};   // a pipe that write_input() fills
struct EmptySource {};  // stdin is at its end from the start
struct NoSource {};     // the pump does not provide stdin
using InputSource = std::variant<NoSource, EmptySource, PipeSource, TextSource, RelaySource>;

struct PumpOptions {
  Sink stdout_sink;
  Sink stderr_sink;
  Sink terminal_sink = NoSink{};
  InputSource stdin_source = EmptySource{};
  Limit output_bytes = 0;
};

// The descriptors are close-on-exec, blocking and numbered 3 or higher; empty without a source or
// sink. Close them once the command has them: a stream ends only when all its write ends are
// closed.
using ChildEnds = ChildEndsFor<Fd>;

struct PumpEvent : PumpStanding {
  std::uint64_t bytes = 0;  // read in this step, from all streams
  bool relay_lost = false;  // a relay's target failed and its stream was closed; stays true
};

struct PumpedOutput : PumpedStreams {
  PumpedStream terminal_stream;
};

// Owns the pipes and what was captured. Move-only.
class Pump {
 public:
  // A failure leaves nothing open. The error says which stream could not be made.
  [[nodiscard]] static Result<Pump> create(const PumpOptions& options);

  // Call it once: a second call returns empty descriptors.
  [[nodiscard]] ChildEnds take_child_ends();

  // For a PipeSource. Writes what the pipe takes now, and returns how much that was; EPIPE once the
  // command has closed its stdin.
  [[nodiscard]] Result<std::size_t> write_input(std::string_view bytes);
  void close_input();

  // Connects the stream for which terminal_sink is. `master` is the master side of the private
  // terminal: non-blocking, and no other process reads from it. Until then streams_closed stays
  // false.
  [[nodiscard]] Result<void> connect_terminal(Fd master);

  // Readable (EPOLLIN) while there is work for step(); can be nested in another epoll. Borrowed.
  [[nodiscard]] int poll_fd() const;

  // Whether an output stream has yet to end.
  [[nodiscard]] bool has_open_streams() const;

  // Does the work that is ready, without waiting. After an error only finish() may be called.
  [[nodiscard]] Result<PumpEvent> step();

  // Closes everything and returns what was taken in. Bytes that a full relay target had not
  // accepted are lost, and the stream is marked as truncated. The pump must not be used afterwards.
  [[nodiscard]] PumpedOutput finish();

 private:
  struct State;
  explicit Pump(Hidden<State> state) : state_(std::move(state)) {}
  Hidden<State> state_;
};

}  // namespace bawn::linux_
