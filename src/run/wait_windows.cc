#include <windows.h>

#include <algorithm>

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

}  // namespace bawn
