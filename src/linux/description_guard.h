// Puts an open file description of the caller's back into its old state after a command has held
// it.
//
// Flags, owner and signal, leases and locks belong to the description, not to the descriptor: what
// the command sets would stay set for the caller. The position is not put back: it is where the
// output ends.
//
// If bawn is killed, nothing is put back. A lock that the caller itself takes on the description
// meanwhile is dropped as well. One thread at a time. Linux.
#pragma once

namespace bawn {

class DescriptionGuard {
 public:
  // False if the description has a lock, a lease, an owner or rare flags, which the command could
  // take away for good, if another guard has it (its mark is the owner), or if that cannot be found
  // out.
  [[nodiscard]] static bool can_restore(int fd);

  // `fd` is borrowed for the guard's life.
  explicit DescriptionGuard(int fd);
  DescriptionGuard(const DescriptionGuard&) = delete;
  DescriptionGuard& operator=(const DescriptionGuard&) = delete;
  ~DescriptionGuard();

 private:
  int fd_;
  int flags_;
};

}  // namespace bawn
