// Child processes for the tests of the pump. A child is forked, does one thing with its ends of the
// pipes, and leaves by _exit(), so that no destructor of the test runs in it.
#pragma once

#include <dirent.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "backend/linux/stdio/pump.h"

namespace bawn::linux_::testing {

// Writes all bytes, or ends the child with status 3. SIGPIPE is handled as in the test.
inline void put(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n <= 0) ::_exit(3);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

inline void put_many(int fd, std::size_t bytes) {
  static constexpr char kBlock[64 * 1024] = {};
  for (std::size_t left = bytes; left > 0;) {
    const std::size_t n = left < sizeof kBlock ? left : sizeof kBlock;
    put(fd, {kBlock, n});
    left -= n;
  }
}

// Forks a child that runs `body(ends)` and exits with 0. The child closes its copy of the pump, as
// an exec would: a writer that holds the read end of its own pipe never learns that the reader is
// gone.
template <class Body>
pid_t fork_writer(Pump& pump, Body body) {
  ChildEnds ends = pump.take_child_ends();
  const pid_t pid = ::fork();
  if (pid == 0) {
    { const Pump copy = std::move(pump); }
    body(std::as_const(ends));
    ::_exit(0);
  }
  return pid;
}

// Reaps the child and returns its wait status.
inline int wait_for(pid_t pid) {
  int status = -1;
  ::waitpid(pid, &status, 0);
  return status;
}

// Whether the pump has something to do before the time is over.
inline bool ready(const Pump& pump, int timeout_ms) {
  pollfd ask{.fd = pump.poll_fd(), .events = POLLIN, .revents = 0};
  return ::poll(&ask, 1, timeout_ms) == 1;
}

// Steps the pump until both streams are closed, or until nothing happens for `idle_ms`.
inline PumpEvent run_pump(Pump& pump, int idle_ms = 5000) {
  PumpEvent event;
  while (!event.streams_closed && ready(pump, idle_ms)) event = pump.step().value();
  return event;
}

inline int count_open_fds() {
  DIR* dir = ::opendir("/proc/self/fd");
  int count = 0;
  while (::readdir(dir) != nullptr) ++count;
  ::closedir(dir);
  return count;
}

}  // namespace bawn::linux_::testing
