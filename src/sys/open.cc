#include "sys/open.h"

#include <fcntl.h>
#include <unistd.h>

#include "sys/call.h"

namespace bawn::sys {

Result<Fd> open(const char* path, int flags) {
  BAWN_ASSIGN(const int fd, checked("open", [&] { return ::open(path, flags | O_CLOEXEC); }));
  return Fd(fd);
}

Result<Fd> duplicate(int fd) {
  constexpr int kAboveStdio = STDERR_FILENO + 1;
  BAWN_ASSIGN(const int copy, checked("fcntl(F_DUPFD_CLOEXEC)",
                                      [&] { return ::fcntl(fd, F_DUPFD_CLOEXEC, kAboveStdio); }));
  return Fd(copy);
}

Result<Fd> above_stdio(Fd fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  return duplicate(fd.get());
}

}  // namespace bawn::sys
