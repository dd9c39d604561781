// A network namespace with a loopback and nothing else.
//
// It takes the kernel longer than all that the keeper does besides, so a thread makes it from the keeper's first moment
// on, and the keeper enters it when everything else is ready.
#pragma once

#include <cstdint>

namespace bawn::keeper {

class OwnNetwork {
 public:
  // At most once in a process. 0 or a negative errno.
  [[nodiscard]] long begin();
  [[nodiscard]] bool begun() const { return begun_; }

  // Waits for it, moves this thread there, and asks the kernel where it is now. 0 or a negative errno.
  [[nodiscard]] long enter(std::uint64_t& inode);

 private:
  bool begun_ = false;
};

}  // namespace bawn::keeper
