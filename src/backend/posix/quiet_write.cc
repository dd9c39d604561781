#include "backend/posix/quiet_write.h"

#include <unistd.h>

#include <cerrno>

#include "sys/call.h"
#include "sys/write_signals.h"

namespace bawn::posix {

ssize_t write_quietly(int fd, std::string_view bytes) {
  ssize_t written = 0;
  int error = 0;
  {
    const sys::WriteSignalBlock no_signals;
    written = sys::retried([&] { return ::write(fd, bytes.data(), bytes.size()); });
    error = errno;
  }
  errno = error;
  return written;
}

}  // namespace bawn::posix
