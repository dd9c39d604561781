#include "backend/linux/stdio/input_stream.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "backend/linux/stdio/pump.h"
#include "backend/linux/stdio/stdio_file.h"
#include "sys/call.h"
#include "sys/event_poll.h"
#include "sys/open.h"
#include "sys/pipe.h"
#include "sys/write_signals.h"

namespace bawn::linux_ {
namespace {

// The caller loses the bytes that are left in the command's pipe when it ends. So the pipe holds no
// more than the command has already read by then.
constexpr std::size_t kInputPipeBytes = kTappedBytes;

bool has_something(int fd) {
  pollfd ask{.fd = fd, .events = POLLIN, .revents = 0};
  return sys::retried([&] { return poll(&ask, 1, 0); }) != 0;
}

}  // namespace

// A device is opened again where the kernel permits it: O_NONBLOCK then changes nothing for other
// processes that have it open. Pipes and sockets have calls that do not wait.
Result<InputStream> InputStream::create(int source, bool moves_position, Fd& child_end) {
  struct stat facts {};
  BAWN_TRY(sys::checked("fstat", [&] { return fstat(source, &facts); }));
  BAWN_ASSIGN(sys::PipeEnds ends, sys::pipe());
  child_end = std::move(ends.read);
  BAWN_TRY(sys::set_nonblocking(ends.write.get()));
  const Kind kind = S_ISREG(facts.st_mode)    ? Kind::regular
                    : S_ISFIFO(facts.st_mode) ? Kind::pipe
                    : S_ISSOCK(facts.st_mode) ? Kind::socket
                                              : Kind::other;
  if (kind == Kind::other) {
    if (auto own = open_anew(source, O_RDONLY | O_NONBLOCK))
      return InputStream(kind, std::move(own).value(), std::move(ends.write));
  }
  BAWN_ASSIGN(Fd same, sys::duplicate(source));
  InputStream stream(kind, std::move(same), std::move(ends.write));
  if (kind == Kind::pipe || kind == Kind::socket) {
    BAWN_ASSIGN(stream.tap_,
                InputTap::create(kind == Kind::pipe ? InputTap::Kind::pipe : InputTap::Kind::socket,
                                 stream.source_.get(), stream.sink_.get()));
  }
  if (kind != Kind::regular) return stream;
  BAWN_ASSIGN(stream.start_, sys::checked("lseek", [&] { return lseek(source, 0, SEEK_CUR); }));
  if (!moves_position) return stream;
  BAWN_ASSIGN(stream.unread_, sys::duplicate(child_end.get()));
  return stream;
}

Result<void> InputStream::connect(int epoll) {
  auto waits = watch(epoll, always_ready_ ? Watch::sink : Watch::source);
  if (waits || waits.error().sys_errno != EPERM) return waits;
  always_ready_ = true;
  return watch(epoll, Watch::sink);
}

Result<void> InputStream::move(int epoll, char* chunk, std::size_t size) {
  if (!sink_) return {};
  const sys::WriteSignalBlock no_signals;
  if (tap_) {
    const InputTap::Next next = tap_->move();
    if (next != InputTap::Next::stream) return move_tapped(epoll, next);
    tap_.reset();
    sys::grow_pipe(sink_.get(), kInputPipeBytes);
  }
  if (kind_ == Kind::pipe) return move_pages(epoll);
  bool more = flush();
  for (std::size_t reads = 0; more && reads < kMaxStepReads; ++reads)
    more = fill(chunk, size) && flush();
  if (ended_ && pending_.empty()) return end(epoll);
  const bool waits_for_sink = !pending_.empty() || always_ready_;
  return watch(epoll, waits_for_sink ? Watch::sink : Watch::source);
}

Result<void> InputStream::move_tapped(int epoll, InputTap::Next next) {
  if (next == InputTap::Next::end) return end(epoll);
  return watch(epoll, next == InputTap::Next::wait_for_command ? Watch::sink : Watch::source);
}

Result<void> InputStream::move_pages(int epoll) {
  for (std::size_t moves = 0; moves < kMaxStepReads; ++moves) {
    const ssize_t moved = sys::move_pages(source_.get(), sink_.get(), kPumpChunk);
    if (moved > 0) {
      taken_ += moved;
      continue;
    }
    if (moved == 0 || errno != EAGAIN) return end(epoll);
    break;
  }
  if (!has_large_pipe_ && taken_ >= static_cast<std::int64_t>(2 * kPipeBytes)) {
    has_large_pipe_ = true;
    sys::grow_pipe(sink_.get(), kPipeBytes);
  }
  const sys::PipeInput input = sys::pipe_input(source_.get());
  if (input == sys::PipeInput::ended) return end(epoll);
  return watch(epoll, input == sys::PipeInput::empty ? Watch::source : Watch::sink);
}

Result<void> InputStream::end(int epoll) {
  BAWN_TRY(watch(epoll, Watch::nothing));
  if (tap_) tap_->take_read();
  tap_.reset();
  sink_.reset();
  return {};
}

// Returns whether there may be more to read now.
bool InputStream::fill(char* chunk, std::size_t size) {
  const std::int64_t got = take(chunk, size);
  if (got == -1 && errno == EAGAIN) return false;
  if (got <= 0) {
    ended_ = true;
    return false;
  }
  taken_ += got;
  pending_.assign(chunk, static_cast<std::size_t>(got));
  return true;
}

std::int64_t InputStream::take(char* chunk, std::size_t size) const {
  return sys::retried([&]() -> ssize_t {
    if (kind_ == Kind::regular) return pread(source_.get(), chunk, size, start_ + taken_);
    if (kind_ == Kind::socket) return recv(source_.get(), chunk, size, MSG_DONTWAIT);
    if (has_something(source_.get())) return read(source_.get(), chunk, size);
    errno = EAGAIN;
    return -1;
  });
}

// Returns whether everything was written and the source may have more.
bool InputStream::flush() {
  while (!pending_.empty()) {
    const ssize_t put =
        sys::retried([&] { return write(sink_.get(), pending_.data(), pending_.size()); });
    if (put == -1 && errno == EAGAIN) return false;
    if (put == -1) {
      ended_ = true;  // the pipe has no reader
      pending_.clear();
      return false;
    }
    pending_.erase(0, static_cast<std::size_t>(put));
  }
  return !ended_;
}

void InputStream::finish() {
  if (tap_) tap_->take_read();
  tap_.reset();
  int unread = 0;
  if (unread_ && ioctl(unread_.get(), FIONREAD, &unread) == 0) {
    // The command can write into its stdin pipe. The pipe cannot hold more of the file than was
    // read from it.
    const std::int64_t left = std::min(taken_, static_cast<std::int64_t>(pending_.size()) + unread);
    lseek(source_.get(), start_ + taken_ - left, SEEK_SET);
  }
  sink_.reset();
  source_.reset();
  unread_.reset();
}

Result<void> InputStream::watch(int epoll, Watch wanted) {
  if (wanted == watched_) return {};
  if (watched_ == Watch::source) BAWN_TRY(sys::epoll_remove(epoll, source_.get()));
  if (watched_ == Watch::sink) BAWN_TRY(sys::epoll_remove(epoll, sink_.get()));
  watched_ = Watch::nothing;
  if (wanted == Watch::source) BAWN_TRY(sys::epoll_add(epoll, source_.get(), EPOLLIN, 0));
  if (wanted == Watch::sink) BAWN_TRY(sys::epoll_add(epoll, sink_.get(), EPOLLOUT, 0));
  watched_ = wanted;
  return {};
}

}  // namespace bawn::linux_
