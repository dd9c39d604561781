#include "sys/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/call.h"

namespace bawn::sys {

Result<PipeEnds> pipe() {
  int ends[2] = {-1, -1};
  BAWN_TRY(checked("pipe2", [&] { return ::pipe2(ends, O_CLOEXEC); }));
  return PipeEnds{.read = Fd(ends[0]), .write = Fd(ends[1])};
}

std::size_t grow_pipe(int pipe, std::size_t wanted) {
  const int reported = ::fcntl(pipe, F_GETPIPE_SZ);
  const std::size_t born = reported > 0 ? static_cast<std::size_t>(reported) : 0;
  for (std::size_t size = wanted; size > born; size /= 2) {
    const int reached = ::fcntl(pipe, F_SETPIPE_SZ, static_cast<int>(size));
    if (reached > 0) return static_cast<std::size_t>(reached);
  }
  return born;
}

Result<void> set_nonblocking(int fd) {
  BAWN_ASSIGN(const int flags, checked("fcntl(F_GETFL)", [&] { return ::fcntl(fd, F_GETFL); }));
  BAWN_TRY(checked("fcntl(F_SETFL)", [&] { return ::fcntl(fd, F_SETFL, flags | O_NONBLOCK); }));
  return {};
}

}  // namespace bawn::sys
