// A network namespace with a loopback and nothing else.
//
// It takes the kernel longer than all that init does besides, so a thread makes it from init's
// first moment on, and init enters it when everything else is ready.
#pragma once

#include <cstdint>

namespace bawn::init {

class Netns {
 public:
  // At most once in a process.
  void begin();

  // For an init that has work of its own: this one goes on beside it.
  void spread_cpu() const;

  // Waits for it, moves this thread there, and asks the kernel where it is now. 0 or a negative
  // errno.
  [[nodiscard]] long enter(std::uint64_t& inode) const;

 private:
  long begun_ = -22;  // EINVAL: it never was; or the thread, or why there is none
};

}  // namespace bawn::init
