#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/pipe.h"

namespace bawn::sys {

std::size_t grow_pipe(int pipe, std::size_t wanted) {
  const int reported = ::fcntl(pipe, F_GETPIPE_SZ);
  const std::size_t born = reported > 0 ? static_cast<std::size_t>(reported) : 0;
  for (std::size_t size = wanted; size > born; size /= 2) {
    const int reached = ::fcntl(pipe, F_SETPIPE_SZ, static_cast<int>(size));
    if (reached > 0) return static_cast<std::size_t>(reached);
  }
  return born;
}

bool shrink_pipe(int pipe) {
  const long page = ::sysconf(_SC_PAGESIZE);
  return ::fcntl(pipe, F_SETPIPE_SZ, static_cast<int>(page)) == page;
}

bool is_pipe(int fd) { return ::fcntl(fd, F_GETPIPE_SZ) > 0; }

std::optional<std::size_t> pipe_content(int pipe) {
  int bytes = 0;
  if (::ioctl(pipe, FIONREAD, &bytes) != 0 || bytes < 0) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

PipeInput pipe_input(int from) {
  pollfd ask{.fd = from, .events = POLLIN, .revents = 0};
  if (retried([&] { return ::poll(&ask, 1, 0); }) <= 0) return PipeInput::empty;
  return (ask.revents & POLLIN) != 0 ? PipeInput::waiting : PipeInput::ended;
}

ssize_t move_pages(int from, int to, std::size_t most) {
  return retried([&] {
    return ::splice(from, nullptr, to, nullptr, most, SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
  });
}

ssize_t show_pages(int from, int to, std::size_t most) {
  return retried([&] { return ::tee(from, to, most, SPLICE_F_NONBLOCK); });
}

}  // namespace bawn::sys
