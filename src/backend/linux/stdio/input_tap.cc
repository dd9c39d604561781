#include "backend/linux/stdio/input_tap.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "sys/call.h"
#include "sys/open.h"
#include "sys/pipe.h"

namespace bawn::linux_ {
namespace {

// One pipe buffer, for the smallest page size.
constexpr std::size_t kMostShown = 4096;

bool has_reader(int sink) {
  pollfd ask{.fd = sink, .events = 0, .revents = 0};
  return sys::retried([&] { return poll(&ask, 1, 0); }) == 0 || (ask.revents & POLLERR) == 0;
}

}  // namespace

Result<std::optional<InputTap>> InputTap::create(Kind kind, int source, int sink) {
  if (!sys::shrink_pipe(sink)) return std::optional<InputTap>();
  BAWN_ASSIGN(Fd null, sys::open("/dev/null", O_WRONLY));
  return std::optional(InputTap(kind, source, sink, std::move(null)));
}

InputTap::Next InputTap::move() {
  take_read();
  if (shown_ > 0) {
    // The command can grow its pipe (F_SETPIPE_SZ), which would then always poll writable; so it is
    // shrunk again. If that is refused, the pipe holds bytes that the command wrote itself.
    return has_reader(sink_) && sys::shrink_pipe(sink_) ? Next::wait_for_command : Next::end;
  }
  if (taken_ >= kTappedBytes) return Next::stream;
  const ssize_t shown = show();
  if (shown > 0) {
    shown_ = static_cast<std::size_t>(shown);
    return Next::wait_for_command;
  }
  if (shown == 0 || errno != EAGAIN) return Next::end;
  // EAGAIN may also mean that the command has filled its pipe itself. Waiting for a source that is
  // not empty would then wake us over and over.
  switch (sys::pipe_input(source_)) {
    case sys::PipeInput::waiting:
      return sys::shrink_pipe(sink_) ? Next::wait_for_command : Next::end;
    case sys::PipeInput::ended:
      return Next::end;
    case sys::PipeInput::empty:
      break;
  }
  return Next::wait_for_source;
}

// The command can write into its stdin pipe, so at most the bytes that it was shown count as
// unread.
void InputTap::take_read() {
  const std::size_t unread = std::min(shown_, sys::pipe_content(sink_).value_or(shown_));
  while (shown_ > unread) {
    const ssize_t gone = discard(shown_ - unread);
    // On failure another process has read the bytes from the source already.
    const std::size_t bytes = gone > 0 ? static_cast<std::size_t>(gone) : shown_ - unread;
    shown_ -= bytes;
    taken_ += bytes;
  }
}

ssize_t InputTap::show() const {
  return kind_ == Kind::pipe ? sys::show_pages(source_, sink_, kMostShown) : show_socket();
}

ssize_t InputTap::show_socket() const {
  std::array<char, kMostShown> bytes;
  const ssize_t got = sys::retried(
      [&] { return recv(source_, bytes.data(), bytes.size(), MSG_PEEK | MSG_DONTWAIT); });
  if (got <= 0) return got;
  return sys::retried([&] { return write(sink_, bytes.data(), static_cast<std::size_t>(got)); });
}

ssize_t InputTap::discard(std::size_t bytes) const {
  if (kind_ == Kind::pipe) return sys::move_pages(source_, null_.get(), bytes);
  std::array<char, kMostShown> read;
  return sys::retried(
      [&] { return recv(source_, read.data(), std::min(bytes, read.size()), MSG_DONTWAIT); });
}

}  // namespace bawn::linux_
