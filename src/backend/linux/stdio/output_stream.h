// One output stream of a run, from its pipe or terminal to its sink. Part of the pump; see
// backend/linux/stdio/pump.h.
//
// A capture keeps the bytes for the outcome; a relay writes them to a descriptor of the caller's.
// The stream registers with the pump's epoll only what it waits for at the moment. One thread at a
// time.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "backend/linux/stdio/pump.h"
#include "backend/linux/stdio/relay_target.h"
#include "base/result.h"
#include "capture/intake.h"
#include "sys/fd.h"

namespace bawn::linux_ {

// Shared by all streams of one pump.
struct PumpStock {
  int epoll = -1;  // borrowed
  OutputStock output;
  std::unique_ptr<char[]> chunk = std::make_unique_for_overwrite<char[]>(kPumpChunk);
};

class OutputStream {
 public:
  // `sink` must be a CaptureSink or a RelaySink. The relay's descriptor is borrowed for this call
  // only.
  [[nodiscard]] static Result<OutputStream> create(const Sink& sink);

  // Call it once; the stream is not done() before. `source` is the non-blocking read end, which no
  // other process reads from.
  [[nodiscard]] Result<void> connect(const PumpStock& stock, Fd source);

  // Moves at most kMaxStepBytes without waiting; returns how many bytes were read. After the
  // relay's target has failed, the source is closed: the command's next write fails with EPIPE.
  [[nodiscard]] Result<std::uint64_t> move(PumpStock& stock);

  [[nodiscard]] bool done() const { return connected_ && !source_ && pending_.empty(); }
  // The relay's target is full: bytes wait here or in the source for its reader.
  [[nodiscard]] bool reader_slow() const { return !pending_.empty() || target_full_; }
  // The relay's target failed; stays true.
  [[nodiscard]] bool relay_lost() const { return intake_.so_far().relay_errno != 0; }

  // Closes the stream and returns the result. Bytes that a relay had not passed on are counted as
  // lost.
  [[nodiscard]] PumpedStream finish(PumpStock& stock);

 private:
  enum class Watch { nothing, source, target };

  OutputStream(const CaptureSink& capture, std::optional<RelayTarget> target);

  [[nodiscard]] Result<std::uint64_t> move_bytes(PumpStock& stock);
  [[nodiscard]] Result<std::uint64_t> move_pages(PumpStock& stock);
  [[nodiscard]] Result<void> end_source(const PumpStock& stock);
  void take_in(PumpStock& stock, std::string_view bytes);
  void relay(std::string_view bytes);
  void flush();
  [[nodiscard]] std::size_t write_on(std::string_view bytes);
  [[nodiscard]] Result<void> watch_what_is_needed(const PumpStock& stock);
  [[nodiscard]] Result<void> watch(const PumpStock& stock, Watch wanted);

  Fd source_;
  bool connected_ = false;
  Intake intake_;
  std::optional<RelayTarget> target_;  // relay only
  std::string pending_;       // read, but not yet accepted by the target; at most one chunk
  bool by_pages_ = false;     // splice from pipe to pipe, without copying
  bool target_full_ = false;  // by_pages_: pages wait in the source for room in the target
  Watch watched_ = Watch::nothing;
};

}  // namespace bawn::linux_
