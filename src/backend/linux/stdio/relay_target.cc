#include "backend/linux/stdio/relay_target.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/text.h"
#include "sys/call.h"
#include "sys/open.h"
#include "sys/pipe.h"
#include "sys/write_signals.h"

namespace bawn::linux_ {
namespace {

Result<void> check_writable(int fd) {
  BAWN_ASSIGN(const int flags,
              sys::checked("fcntl(F_GETFL)", [&] { return ::fcntl(fd, F_GETFL); }));
  const int access = flags & O_ACCMODE;
  if ((flags & O_PATH) == 0 && (access == O_WRONLY || access == O_RDWR)) return {};
  return invalid_error(concat("fd ", fd, ": expected a descriptor that is open for writing"));
}

// A private open file description of the same pipe or terminal; empty if the kernel refuses.
Fd open_private_copy(int fd, const struct stat& expected) {
  // thread-self: this thread may have another descriptor table than the thread group leader.
  const std::string path = concat("/proc/thread-self/fd/", fd);
  auto copy = sys::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY);
  if (!copy) return Fd();
  struct stat got {};
  const bool same = ::fstat(copy.value().get(), &got) == 0 && got.st_dev == expected.st_dev &&
                    got.st_ino == expected.st_ino;
  return same ? std::move(copy).value() : Fd();
}

bool has_room(int fd) {
  pollfd ask{.fd = fd, .events = POLLOUT, .revents = 0};
  // Errors count as room: the write is then made and returns the errno.
  return sys::retried([&] { return ::poll(&ask, 1, 0); }) != 0;
}

}  // namespace

Result<RelayTarget> RelayTarget::open(int fd, Limit most_file_bytes) {
  BAWN_TRY(check_writable(fd));
  struct stat facts {};
  BAWN_TRY(sys::checked("fstat", [&] { return ::fstat(fd, &facts); }));

  if (S_ISFIFO(facts.st_mode) || ::isatty(fd) == 1) {
    if (Fd copy = open_private_copy(fd, facts))
      return RelayTarget(Kind::private_copy, std::move(copy), most_file_bytes);
  }
  BAWN_ASSIGN(Fd same, sys::duplicate(fd));
  const Kind kind = S_ISSOCK(facts.st_mode)  ? Kind::socket
                    : S_ISREG(facts.st_mode) ? Kind::regular
                                             : Kind::shared;
  return RelayTarget(kind, std::move(same), most_file_bytes);
}

RelayTarget::Written RelayTarget::write(std::string_view bytes) {
  const sys::WriteSignalBlock no_signals;
  Written total;
  while (total.bytes < bytes.size() && !total.full && total.error == 0) {
    const Written piece = write_piece(bytes.substr(total.bytes));
    total.bytes += piece.bytes;
    total.full = piece.full;
    total.error = piece.error;
  }
  return total;
}

bool RelayTarget::is_pipe() const { return sys::is_pipe(fd_.get()); }

RelayTarget::Written RelayTarget::move_from(int source, std::size_t most) {
  const sys::WriteSignalBlock no_signals;
  const ssize_t moved = sys::move_pages(source, fd_.get(), most);
  if (moved > 0) return {.bytes = static_cast<std::size_t>(moved)};
  if (moved == 0) return {.ended = true};
  if (errno != EAGAIN) return {.error = errno};
  const sys::PipeInput input = sys::pipe_input(source);
  return {.full = input == sys::PipeInput::waiting, .ended = input == sys::PipeInput::ended};
}

// How many bytes of `wanted` fit below the limit, from where the next write goes.
std::size_t RelayTarget::room_in_file(std::size_t wanted) const {
  if (!most_file_bytes_) return wanted;
  const bool appends = (::fcntl(fd_.get(), F_GETFL) & O_APPEND) != 0;
  struct stat facts {};
  const off_t at = appends ? (::fstat(fd_.get(), &facts) == 0 ? facts.st_size : 0)
                           : ::lseek(fd_.get(), 0, SEEK_CUR);
  const std::uint64_t used = at > 0 ? static_cast<std::uint64_t>(at) : 0;
  return used >= *most_file_bytes_ ? 0 : std::min<std::uint64_t>(wanted, *most_file_bytes_ - used);
}

RelayTarget::Written RelayTarget::write_piece(std::string_view bytes) const {
  if (kind_ == Kind::shared) {
    if (!has_room(fd_.get())) return {.full = true};
    bytes = bytes.substr(0, PIPE_BUF);
  }
  if (kind_ == Kind::regular) bytes = bytes.substr(0, room_in_file(bytes.size()));
  if (bytes.empty()) return {.error = EFBIG};
  const auto put = sys::retried([&] {
    if (kind_ != Kind::socket) return ::write(fd_.get(), bytes.data(), bytes.size());
    return ::send(fd_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  });
  if (put >= 0) return {.bytes = static_cast<std::size_t>(put)};
  const int error = errno;
  // poll() never waits for a regular file: "try again" would mean forever.
  if (error == EAGAIN && kind_ != Kind::regular) return {.full = true};
  return {.error = error};
}

}  // namespace bawn::linux_
