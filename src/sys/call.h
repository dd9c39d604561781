// The one place that handles EINTR and errno.
//
//   return sys::checked("epoll_ctl", [&] { return ::epoll_ctl(epoll, op, fd, &event); });
//
// For system calls that report failure as -1. Not for close(), which must not be repeated
// (sys/fd.h). Not for waits with a relative timeout: each repetition would wait for the full time
// again.
#pragma once

#include <cerrno>
#include <string_view>
#include <type_traits>

#include "base/result.h"

namespace bawn::sys {

// Repeats the call while it fails with EINTR. errno is that of the last attempt. For hot paths, and
// for callers that treat some errno (EAGAIN) as an answer and not as an error.
template <class Call>
auto retried(Call call) -> std::invoke_result_t<Call> {
  for (;;) {
    const auto answer = call();
    if (answer != -1 || errno != EINTR) return answer;
  }
}

// The same with failure as an Error that starts with `what`.
template <class Call>
auto checked(std::string_view what, Call call) -> Result<std::invoke_result_t<Call>> {
  const auto answer = retried(call);
  if (answer == -1) return system_error(errno, what);
  return answer;
}

}  // namespace bawn::sys
