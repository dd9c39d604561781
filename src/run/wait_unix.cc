#include <poll.h>

#include <algorithm>

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

}  // namespace bawn
