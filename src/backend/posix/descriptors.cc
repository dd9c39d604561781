#include "backend/posix/descriptors.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/call.h"

namespace bawn::posix {
namespace {

Result<Fd> above_stdio(Fd fd) {
  constexpr int kAboveStdio = STDERR_FILENO + 1;
  BAWN_ASSIGN(const int copy, sys::checked("fcntl(F_DUPFD_CLOEXEC)", [&] {
                return ::fcntl(fd.get(), F_DUPFD_CLOEXEC, kAboveStdio);
              }));
  return Fd(copy);
}

}  // namespace

Result<PipeEnds> pipe() {
  int ends[2] = {-1, -1};
  // NOLINTNEXTLINE(android-cloexec-pipe): macOS has no pipe2.
  BAWN_TRY(sys::checked("pipe", [&] { return ::pipe(ends); }));
  Fd read(ends[0]);
  Fd write(ends[1]);
  BAWN_ASSIGN(read, above_stdio(std::move(read)));
  BAWN_ASSIGN(write, above_stdio(std::move(write)));
  return PipeEnds{.read = std::move(read), .write = std::move(write)};
}

Result<void> set_nonblocking(int fd) {
  BAWN_ASSIGN(const int flags,
              sys::checked("fcntl(F_GETFL)", [&] { return ::fcntl(fd, F_GETFL); }));
  BAWN_TRY(
      sys::checked("fcntl(F_SETFL)", [&] { return ::fcntl(fd, F_SETFL, flags | O_NONBLOCK); }));
  return {};
}

Result<Fd> open_nothing() {
  BAWN_ASSIGN(const int fd, sys::checked("open /dev/null",
                                         [] { return ::open("/dev/null", O_RDONLY | O_CLOEXEC); }));
  return above_stdio(Fd(fd));
}

}  // namespace bawn::posix
