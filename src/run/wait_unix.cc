#include <poll.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "run/wait.h"

namespace bawn {

void wait_for(int fd, Supervisor::Moment latest) {
  int timeout = -1;
  if (latest) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*latest - Supervisor::Clock::now()).count();
    timeout = static_cast<int>(std::clamp<long long>(left, 0, 60'000));
  }
  pollfd ask{.fd = fd, .events = POLLIN, .revents = 0};
  static_cast<void>(poll(&ask, 1, timeout));
}

bool wait_for_either(int fd, int other) {
  std::array<pollfd, 2> ask{
      {{.fd = fd, .events = POLLIN, .revents = 0}, {.fd = other, .events = POLLIN, .revents = 0}}};
  return poll(ask.data(), ask.size(), -1) > 0 && ask[1].revents != 0;
}

Result<void> require_waitable(int fd) {
  if (fd < 0) return {};
  struct stat facts {};
  if (fstat(fd, &facts) != 0) return system_error(errno, "fstat");
  if (S_ISREG(facts.st_mode) || S_ISDIR(facts.st_mode))
    return invalid_error("a regular file or a directory is always readable");
  return {};
}

}  // namespace bawn
