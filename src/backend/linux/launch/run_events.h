// Everything that one run on Linux waits for, behind one descriptor: an epoll with a timer in it.
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "run/supervisor.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class RunEvents {
 public:
  enum class Source : std::uint64_t {
    control,   // a report from init
    init,      // init has ended
    pump,      // output or input can move
    timer,     // the moment of wake_at()
    terminal,  // keys
    mapping,   // newuidmap or newgidmap has ended
  };

  [[nodiscard]] static Result<RunEvents> create();

  // Readable while something is ready. Borrowed.
  [[nodiscard]] int fd() const { return epoll_.get(); }

  // `fd` is borrowed. Forget it before it is closed.
  [[nodiscard]] Result<void> watch(int fd, Source source);
  [[nodiscard]] Result<void> forget(int fd);

  // Replaces the earlier moment; none: no timer.
  [[nodiscard]] Result<void> wake_at(Supervisor::Moment moment);

  // What is ready now, without waiting. A timer that has fired is reset.
  [[nodiscard]] Result<std::vector<Source>> ready();

 private:
  RunEvents(Fd epoll, Fd timer) : epoll_(std::move(epoll)), timer_(std::move(timer)) {}

  Fd epoll_;
  Fd timer_;
  Supervisor::Moment wakes_at_;
};

}  // namespace bawn::linux_
