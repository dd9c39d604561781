// The accounting of one output stream: what counts against the quota, what is kept for the outcome
// and what is cut off.
//
// The same on every system; the pumps differ only in how bytes arrive and are passed on. No I/O
// happens here. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "capture/byte_filter.h"
#include "policy/limit.h"

namespace bawn {

// The number of bytes that a pump reads at a time.
inline constexpr std::size_t kPumpChunk = 64 * 1024;
// The cap on captured bytes of all streams of a run together. It keeps an outcome small even if the
// policy does not limit output.
inline constexpr std::size_t kMaxKeptBytes = 4 * 1024 * 1024;

// Takes the output of one stream as it comes, after quota and filter. Returns 0, or the errno with
// which the bytes were lost: then it gets no more, and the outcome tells. It is called by the
// thread that steps the run, with bytes that are borrowed for the call. It must not wait: the run's
// deadlines wait with it.
using OutputConsumer = std::function<int(std::string_view bytes)>;

// One output budget for a run: stdout and stderr together. It counts all bytes that were written,
// also those beyond the budget, so that the outcome can report the total. It stops nothing by
// itself; the supervisor ends the run when exceeded() is true.
class OutputQuota {
 public:
  // An empty limit admits everything; a limit of 0 admits nothing.
  explicit OutputQuota(Limit limit) : limit_(limit) {}

  // Counts `n` more bytes and returns how many of them, from the first on, are within the budget.
  [[nodiscard]] std::size_t admit(std::size_t n);

  [[nodiscard]] bool is_unlimited() const { return !limit_; }
  // The total, within the budget or not.
  [[nodiscard]] std::uint64_t written() const { return written_; }
  // The budget may be used to its last byte; only one byte more exceeds it.
  [[nodiscard]] bool exceeded() const { return limit_ && written_ > *limit_; }

 private:
  Limit limit_;
  std::uint64_t written_ = 0;
};

// The budget that all streams of one run share.
struct OutputStock {
  explicit OutputStock(Limit limit);

  OutputQuota quota;
  std::size_t most;                  // for reserve(), not a cap: a filter can lengthen text
  std::size_t room = kMaxKeptBytes;  // left for captured bytes
};

// The result of one stream.
struct PumpedStream {
  std::string kept;         // captured streams only
  std::uint64_t bytes = 0;  // all bytes read, before filter, quota and memory cap
  bool truncated = false;   // some output was neither kept nor passed on
  bool ended = false;       // end of file was seen; false if a process still held the pipe open
  int relay_errno = 0;      // why the relay's target failed; 0 if it did not
  // Bytes in the pipe or in our buffer that a relay's target had not taken when the run ended.
  std::uint64_t unread = 0;
};

// Accounts for one stream. The OutputStock is passed to each call and is borrowed.
class Intake {
 public:
  // `filter` is borrowed, must outlive the Intake and may be null. A consumer gets the bytes that
  // would be kept, and none are kept.
  explicit Intake(ByteFilter* filter, OutputConsumer consumer = {})
      : filter_(filter), consumer_(std::move(consumer)) {}

  // Counts all of `bytes` and returns the part at the front that is within the quota.
  [[nodiscard]] std::string_view admit(OutputStock& stock, std::string_view bytes);

  // Keeps admitted bytes, after the filter, as far as there is room. Beyond that the stream is
  // truncated.
  void keep(OutputStock& stock, std::string_view bytes);

  // Counts bytes that a relay passed on without their passing through this process (splice).
  void count(OutputStock& stock, std::size_t bytes);

  // For a relay. lose(): bytes were not passed on; `relay_errno` is the target's error, or 0.
  // lose_unread(): the target did not accept `bytes` in time. Both mark the stream as truncated.
  void lose(int relay_errno);
  void lose_unread(std::size_t bytes);
  void end() { result_.ended = true; }
  [[nodiscard]] const PumpedStream& so_far() const { return result_; }

  // Flushes the filter and returns the result. The Intake is empty afterwards.
  [[nodiscard]] PumpedStream finish(OutputStock& stock);

 private:
  void fit(OutputStock& stock, std::size_t size_before);
  void consume(std::string_view bytes);
  void consume_kept();

  ByteFilter* filter_;
  OutputConsumer consumer_;
  PumpedStream result_;
};

}  // namespace bawn
