// The accounts of one output stream: what counts against the quota, what is kept for the outcome
// and what is cut off.
//
// The same on every system; the pumps differ only in how bytes come in and go on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "capture/byte_filter.h"
#include "capture/quota.h"
#include "policy/policy.h"

namespace bawn {

// What a pump reads at a time.
inline constexpr std::size_t kPumpChunk = 64 * 1024;
// Even a policy with unlimited output gets a record of bounded size.
inline constexpr std::size_t kMaxKeptBytes = 4 * 1024 * 1024;

// What all streams of a run draw from.
struct OutputStock {
  explicit OutputStock(Limit limit);

  OutputQuota quota;
  std::size_t most;                  // that can come to be kept of one stream
  std::size_t room = kMaxKeptBytes;  // left for captured bytes
};

struct PumpedStream {
  std::string kept;         // captured streams only
  std::uint64_t bytes = 0;  // all that was read, before filter, quota and memory cap
  bool truncated = false;   // something that was read was neither kept nor passed on
  bool ended = false;       // the end was seen; false if somebody still held the pipe open
  int relay_errno = 0;      // why the relay's target was lost; 0 if it was not
  std::uint64_t unread =
      0;  // bytes for a relay's target that had not taken them when the run was over
};

class Intake {
 public:
  // `filter` is borrowed and may be null.
  explicit Intake(ByteFilter* filter) : filter_(filter) {}

  // Counts the bytes and returns those, from the first on, that are within the quota.
  [[nodiscard]] std::string_view admit(OutputStock& stock, std::string_view bytes);

  // Keeps admitted bytes, through the filter, as far as there is room.
  void keep(OutputStock& stock, std::string_view bytes);

  // The same for bytes that were passed on unseen.
  void count(OutputStock& stock, std::size_t bytes);

  // Of a relay: something was not passed on, because the target failed, or because it was not read
  // in time.
  void lose(int relay_errno);
  void lose_unread(std::size_t bytes);
  void end() { result_.ended = true; }
  [[nodiscard]] const PumpedStream& so_far() const { return result_; }

  // What came of it. The intake is empty afterwards.
  [[nodiscard]] PumpedStream finish(OutputStock& stock);

 private:
  void fit(OutputStock& stock, std::size_t size_before);

  ByteFilter* filter_;
  PumpedStream result_;
};

}  // namespace bawn
