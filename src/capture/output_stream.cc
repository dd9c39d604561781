#include "capture/output_stream.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "sys/call.h"
#include "sys/event_poll.h"

namespace bawn {
namespace {

// Grows in few large steps. Memory that was not written to yet costs nothing, but each buffer that was
// outgrown does: doubling up to the cap leaves as much behind again in the heap.
void make_room(std::string& kept, std::size_t more, std::size_t most) {
  const std::size_t needed = kept.size() + more;
  if (needed <= kept.capacity()) return;
  for (const std::size_t size : {kPumpChunk, 16 * kPumpChunk, most}) {
    if (needed <= size) return kept.reserve(std::min(size, std::max(needed, most)));
  }
}

}  // namespace

OutputStream::OutputStream(ByteFilter* filter, std::optional<RelayTarget> target)
    : filter_(filter), target_(std::move(target)) {}

Result<OutputStream> OutputStream::create(const Sink& sink) {
  ByteFilter* filter = nullptr;
  std::optional<RelayTarget> target;
  if (const auto* relay = std::get_if<RelaySink>(&sink)) {
    BAWN_ASSIGN(target, RelayTarget::open(relay->target));
  } else {
    filter = std::get<CaptureSink>(sink).filter;
  }
  return OutputStream(filter, std::move(target));
}

Result<void> OutputStream::connect(const PumpStock& stock, Fd source) {
  source_ = std::move(source);
  connected_ = true;
  return watch(stock, Watch::source);
}

Result<std::uint64_t> OutputStream::move(PumpStock& stock) {
  std::uint64_t moved = 0;
  std::size_t reads = 0;
  flush();
  // While the target is full the source is left alone: the pipe fills, and the child waits as it would
  // for any slow reader.
  while (source_ && pending_.empty() && reads++ < kMaxStepReads) {
    const auto got = sys::retried([&] { return ::read(source_.get(), stock.chunk.get(), kPumpChunk); });
    if (got == -1 && errno == EAGAIN) break;
    if (got <= 0) {
      result_.ended = got == 0 || errno == EIO;  // a terminal that nobody has open any more says EIO
      BAWN_TRY(watch(stock, Watch::nothing));
      source_.reset();
      break;
    }
    moved += static_cast<std::uint64_t>(got);
    take_in(stock, {stock.chunk.get(), static_cast<std::size_t>(got)});
  }
  BAWN_TRY(watch_what_is_needed(stock));
  return moved;
}

void OutputStream::take_in(PumpStock& stock, std::string_view bytes) {
  result_.bytes += bytes.size();
  const std::size_t admitted = stock.quota.admit(bytes.size());
  if (admitted < bytes.size()) result_.truncated = true;
  if (admitted == 0) return;
  const std::string_view within = bytes.substr(0, admitted);
  target_ ? relay(within) : keep(stock, within);
}

void OutputStream::keep(PumpStock& stock, std::string_view bytes) {
  if (stock.room == 0) {
    result_.truncated = true;
    return;
  }
  const std::size_t before = result_.kept.size();
  make_room(result_.kept, std::min(bytes.size(), stock.room), stock.most);
  if (filter_ != nullptr) {
    filter_->feed(bytes, result_.kept);
  } else {
    // What is beyond the room would only be cut off again, after it had made the buffer grow.
    result_.kept.append(bytes.substr(0, stock.room));
    if (bytes.size() > stock.room) result_.truncated = true;
  }
  fit_kept(stock, before);
}

// A filter may append more than it was given (a marker longer than the secret), so the cap is applied to what
// it made.
void OutputStream::fit_kept(PumpStock& stock, std::size_t size_before) {
  const std::size_t grown = result_.kept.size() - size_before;
  const std::size_t kept = std::min(grown, stock.room);
  if (kept < grown) {
    result_.kept.resize(size_before + kept);
    result_.truncated = true;
  }
  stock.room -= kept;
}

void OutputStream::relay(std::string_view bytes) {
  const std::size_t written = write_on(bytes);
  if (!relay_lost()) pending_.assign(bytes.substr(written));
}

void OutputStream::flush() {
  if (pending_.empty()) return;
  pending_.erase(0, write_on(pending_));
}

std::size_t OutputStream::write_on(std::string_view bytes) {
  const RelayTarget::Written written = target_->write(bytes);
  if (written.error != 0) {
    result_.relay_errno = written.error;
    result_.truncated = true;
  }
  return written.bytes;
}

Result<void> OutputStream::watch_what_is_needed(const PumpStock& stock) {
  if (relay_lost()) {
    // As in a pipeline of a shell: the writer learns from its next write that nobody reads any more.
    BAWN_TRY(watch(stock, Watch::nothing));
    source_.reset();
    pending_.clear();
    return {};
  }
  if (!pending_.empty()) return watch(stock, Watch::target);
  return watch(stock, source_ ? Watch::source : Watch::nothing);
}

// A descriptor that is not wanted is taken out, not muted: epoll reports a hang-up whatever was asked for,
// and would wake the supervisor for it over and over.
Result<void> OutputStream::watch(const PumpStock& stock, Watch wanted) {
  if (wanted == watched_) return {};
  if (watched_ == Watch::source) BAWN_TRY(sys::epoll_remove(stock.epoll, source_.get()));
  if (watched_ == Watch::target) BAWN_TRY(sys::epoll_remove(stock.epoll, target_->wait_fd()));
  watched_ = Watch::nothing;
  if (wanted == Watch::source) BAWN_TRY(sys::epoll_add(stock.epoll, source_.get(), EPOLLIN, 0));
  if (wanted == Watch::target) BAWN_TRY(sys::epoll_add(stock.epoll, target_->wait_fd(), EPOLLOUT, 0));
  watched_ = wanted;
  return {};
}

PumpedStream OutputStream::finish(PumpStock& stock) {
  if (!pending_.empty()) result_.truncated = true;
  if (filter_ != nullptr) {
    const std::size_t before = result_.kept.size();
    filter_->finish(result_.kept);
    fit_kept(stock, before);
  }
  if (result_.kept.size() < result_.kept.capacity() / 2) result_.kept.shrink_to_fit();
  source_.reset();
  target_.reset();
  return std::exchange(result_, {});
}

}  // namespace bawn
