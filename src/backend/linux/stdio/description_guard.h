// Restores an open file description of the caller's after a command has used it.
//
// File status flags, owner, signal, leases and locks belong to the open file description, not to
// the descriptor: changes by the command would stay in force for the caller. The file position is
// not restored; it is where the output ends.
//
// If bawn is killed, nothing is restored. A lock that the caller takes on the description during
// the run is released too. One thread at a time. Linux.
#pragma once

namespace bawn::linux_ {

class DescriptionGuard {
 public:
  // False if the description has state that a command could remove and the guard could not put
  // back: a lock, a lease, an owner, a signal or a rare flag. Also false if another guard holds the
  // description (it marks it by setting the owner), or if the state cannot be read.
  [[nodiscard]] static bool can_restore(int fd);

  // `fd` is borrowed for the guard's life. Check can_restore() first.
  explicit DescriptionGuard(int fd);
  DescriptionGuard(const DescriptionGuard&) = delete;
  DescriptionGuard& operator=(const DescriptionGuard&) = delete;
  // Restores the flags; removes owner, signal, lease and all locks.
  ~DescriptionGuard();

 private:
  int fd_;
  int flags_;
};

}  // namespace bawn::linux_
