#include "sys/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/call.h"
#include "sys/open.h"

namespace bawn::sys {

Result<PipeEnds> pipe() {
  int ends[2] = {-1, -1};
#if defined(__APPLE__)
  // NOLINTNEXTLINE(android-cloexec-pipe): macOS has no pipe2; the copies are close-on-exec.
  BAWN_TRY(checked("pipe", [&] { return ::pipe(ends); }));
  const Fd first(ends[0]);
  const Fd second(ends[1]);
  BAWN_ASSIGN(Fd read, duplicate(first.get()));
  BAWN_ASSIGN(Fd write, duplicate(second.get()));
#else
  BAWN_TRY(checked("pipe2", [&] { return ::pipe2(ends, O_CLOEXEC); }));
  Fd read(ends[0]);
  Fd write(ends[1]);
  BAWN_ASSIGN(read, above_stdio(std::move(read)));
  BAWN_ASSIGN(write, above_stdio(std::move(write)));
#endif
  return PipeEnds{.read = std::move(read), .write = std::move(write)};
}

Result<void> set_nonblocking(int fd) {
  BAWN_ASSIGN(const int flags, checked("fcntl(F_GETFL)", [&] { return ::fcntl(fd, F_GETFL); }));
  BAWN_TRY(checked("fcntl(F_SETFL)", [&] { return ::fcntl(fd, F_SETFL, flags | O_NONBLOCK); }));
  return {};
}

}  // namespace bawn::sys
