#include "backend/linux/stdio/output_stream.h"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "sys/call.h"
#include "sys/event_poll.h"
#include "sys/pipe.h"

namespace bawn::linux_ {

OutputStream::OutputStream(const CaptureSink& capture, std::optional<RelayTarget> target)
    : intake_(capture.filter, capture.consumer), target_(std::move(target)) {}

Result<OutputStream> OutputStream::create(const Sink& sink) {
  const auto* relay = std::get_if<RelaySink>(&sink);
  if (relay == nullptr) return OutputStream(std::get<CaptureSink>(sink), std::nullopt);
  BAWN_ASSIGN(RelayTarget target, RelayTarget::open(relay->target, relay->most_file_bytes));
  return OutputStream(CaptureSink{}, std::move(target));
}

Result<void> OutputStream::connect(const PumpStock& stock, Fd source) {
  source_ = std::move(source);
  connected_ = true;
  // A quota can end in the middle of a page, so bytes are copied if there is one.
  by_pages_ = target_ && target_->is_pipe() && sys::is_pipe(source_.get()) &&
              stock.output.quota.is_unlimited();
  return watch(stock, Watch::source);
}

Result<std::uint64_t> OutputStream::move(PumpStock& stock) {
  return by_pages_ ? move_pages(stock) : move_bytes(stock);
}

Result<std::uint64_t> OutputStream::move_pages(PumpStock& stock) {
  std::uint64_t moved = 0;
  target_full_ = false;
  for (std::size_t moves = 0; source_ && moves < kMaxStepReads; ++moves) {
    const RelayTarget::Written written = target_->move_from(source_.get(), kPumpChunk);
    moved += written.bytes;
    intake_.count(stock.output, written.bytes);
    target_full_ = written.full;
    if (written.ended) {
      intake_.end();
      BAWN_TRY(end_source(stock));
    }
    if (written.error != 0) intake_.lose(written.error);
    if (written.bytes == 0) break;
  }
  BAWN_TRY(watch_what_is_needed(stock));
  return moved;
}

Result<void> OutputStream::end_source(const PumpStock& stock) {
  BAWN_TRY(watch(stock, Watch::nothing));
  source_.reset();
  return {};
}

Result<std::uint64_t> OutputStream::move_bytes(PumpStock& stock) {
  std::uint64_t moved = 0;
  std::size_t reads = 0;
  flush();
  // While the target is full the source is not read: the pipe fills, and the child waits as it
  // would for any slow reader.
  while (source_ && pending_.empty() && reads++ < kMaxStepReads) {
    const auto got =
        sys::retried([&] { return ::read(source_.get(), stock.chunk.get(), kPumpChunk); });
    if (got == -1 && errno == EAGAIN) break;
    if (got <= 0) {
      // A pty master says EIO when no process has the terminal open any more.
      if (got == 0 || errno == EIO) intake_.end();
      BAWN_TRY(end_source(stock));
      break;
    }
    moved += static_cast<std::uint64_t>(got);
    take_in(stock, {stock.chunk.get(), static_cast<std::size_t>(got)});
  }
  BAWN_TRY(watch_what_is_needed(stock));
  return moved;
}

void OutputStream::take_in(PumpStock& stock, std::string_view bytes) {
  const std::string_view admitted = intake_.admit(stock.output, bytes);
  if (admitted.empty()) return;
  target_ ? relay(admitted) : intake_.keep(stock.output, admitted);
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
  if (written.error != 0) intake_.lose(written.error);
  return written.bytes;
}

Result<void> OutputStream::watch_what_is_needed(const PumpStock& stock) {
  if (relay_lost()) {
    // As in a shell pipeline: the next write tells the command that there is no reader any more.
    target_full_ = false;
    pending_.clear();
    return end_source(stock);
  }
  if (reader_slow()) return watch(stock, Watch::target);
  return watch(stock, source_ ? Watch::source : Watch::nothing);
}

// A descriptor that is not needed is removed, not muted: epoll reports EPOLLHUP whatever was asked
// for, and would wake the supervisor over and over.
Result<void> OutputStream::watch(const PumpStock& stock, Watch wanted) {
  if (wanted == watched_) return {};
  if (watched_ == Watch::source) BAWN_TRY(sys::epoll_remove(stock.epoll, source_.get()));
  if (watched_ == Watch::target) BAWN_TRY(sys::epoll_remove(stock.epoll, target_->wait_fd()));
  watched_ = Watch::nothing;
  if (wanted == Watch::source) BAWN_TRY(sys::epoll_add(stock.epoll, source_.get(), EPOLLIN, 0));
  if (wanted == Watch::target)
    BAWN_TRY(sys::epoll_add(stock.epoll, target_->wait_fd(), EPOLLOUT, 0));
  watched_ = wanted;
  return {};
}

PumpedStream OutputStream::finish(PumpStock& stock) {
  const std::size_t waiting = source_ && target_ ? sys::pipe_content(source_.get()).value_or(0) : 0;
  if (const std::size_t unread = pending_.size() + waiting; unread > 0) intake_.lose_unread(unread);
  source_.reset();
  target_.reset();
  return intake_.finish(stock.output);
}

}  // namespace bawn::linux_
