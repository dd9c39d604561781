#include <windows.h>

#include <algorithm>
#include <array>

#include "run/wait.h"

namespace bawn {

void wait_for(int fd, Supervisor::Moment latest) {
  DWORD timeout = INFINITE;
  if (latest) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(*latest - Supervisor::Clock::now()).count();
    timeout = static_cast<DWORD>(std::clamp<long long>(left, 0, 60'000));
  }
  WaitForSingleObject(LongToHandle(fd), timeout);
}

// If both are signalled, the answer is the first of the array.
bool wait_for_either(int fd, int other) {
  if (other < 0) {
    wait_for(fd, std::nullopt);
    return false;
  }
  const std::array<HANDLE, 2> events{LongToHandle(other), LongToHandle(fd)};
  return WaitForMultipleObjects(2, events.data(), FALSE, INFINITE) == WAIT_OBJECT_0;
}

Result<void> require_waitable(int fd) {
  if (fd < 0 || WaitForSingleObject(LongToHandle(fd), 0) != WAIT_FAILED) return {};
  return invalid_error("this is not the handle of an event");
}

}  // namespace bawn
