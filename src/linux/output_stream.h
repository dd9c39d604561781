// One of a run's output streams, from the pipe or the terminal to its sink. Part of the pump; see
// linux/pump.h.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "capture/intake.h"
#include "linux/pump.h"
#include "linux/relay_target.h"
#include "sys/fd.h"

namespace bawn {

// What all streams draw from.
struct PumpStock {
  int epoll = -1;  // borrowed
  OutputStock output;
  std::unique_ptr<char[]> chunk = std::make_unique_for_overwrite<char[]>(kPumpChunk);
};

class OutputStream {
 public:
  [[nodiscard]] static Result<OutputStream> create(const Sink& sink);

  // `source` is the non-blocking read end, which nobody else reads from. Once; before it the stream
  // is not done.
  [[nodiscard]] Result<void> connect(const PumpStock& stock, Fd source);

  // Moves at most kMaxStepBytes; returns how many were read.
  [[nodiscard]] Result<std::uint64_t> move(PumpStock& stock);

  [[nodiscard]] bool done() const { return connected_ && !source_ && pending_.empty(); }
  [[nodiscard]] bool reader_slow() const { return !pending_.empty() || target_full_; }
  [[nodiscard]] bool relay_lost() const { return intake_.so_far().relay_errno != 0; }

  // Closes the stream and returns what came of it.
  [[nodiscard]] PumpedStream finish(PumpStock& stock);

 private:
  enum class Watch { nothing, source, target };

  OutputStream(ByteFilter* filter, std::optional<RelayTarget> target);

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
  std::optional<RelayTarget> target_;  // relay
  std::string pending_;                // read, but not yet taken by the target; at most one chunk
  bool by_pages_ = false;              // from pipe to pipe, without copying
  bool target_full_ = false;           // pages wait in the source for room in the target
  Watch watched_ = Watch::nothing;
};

}  // namespace bawn
