// Descriptors and a timer behind one descriptor that a caller can wait for: an epoll on Linux, a
// kqueue on macOS. One thread at a time.
#pragma once

#include <poll.h>

#include <chrono>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::posix {

class EventSet {
 public:
  using Moment = std::optional<std::chrono::steady_clock::time_point>;

  [[nodiscard]] static Result<EventSet> create();

  // Readable while a watched descriptor is ready, and after the moment of wake_at(). Borrowed.
  [[nodiscard]] int fd() const { return set_.get(); }

  // Watches exactly these, for POLLIN or POLLOUT; entries with fd -1 are skipped. They are
  // borrowed, and may be closed while they are watched.
  [[nodiscard]] Result<void> watch(std::span<const pollfd> wanted);

  // Replaces the earlier moment; none: no timer.
  [[nodiscard]] Result<void> wake_at(Moment moment);

 private:
  EventSet(Fd set, Fd timer) : set_(std::move(set)), timer_(std::move(timer)) {}

  Fd set_;
  Fd timer_;  // a timerfd; empty on macOS, where the kqueue has a timer
  std::vector<pollfd> watched_;
};

}  // namespace bawn::posix
