// A network namespace with a loopback interface and nothing else.
//
// The kernel needs longer to make it than init needs for all its other steps. So a second thread
// makes it as soon as init starts, and init enters it when everything else is ready. That thread is
// the only one that init ever has; it has ended when enter() returns. Its state is static, so there
// is one Netns in a process.
#pragma once

#include <cstdint>

namespace bawn::init {

class Netns {
 public:
  // Starts the thread, on another CPU if it can (cpu_spread.h). At most once in a process. A
  // failure is kept and returned by enter().
  void begin();

  // Waits for the thread, moves the caller into the new namespace, and reads back the inode number
  // of the namespace it is in now. 0 or a negative errno; EINVAL if begin() was never called.
  [[nodiscard]] long enter(std::uint64_t& inode) const;

 private:
  long begun_ = -22;  // the thread's id, or a negative errno; EINVAL: not begun
};

}  // namespace bawn::init
