// Sets up the namespaces that bawn cloned init into, apart from the file system: reads which they
// are, switches to the run's uid and gid, and sets the host name.
//
// For tier c only. Must run before the new root is entered, because it reads the host's /proc.
// After a failure the process is in an undefined state between two users, so init reports the step
// and exits.
#pragma once

#include "backend/linux/wire/decode.h"

namespace bawn::init {

struct NamespaceOrder {
  const Setup* setup;
  Readback* readback;
  std::uint64_t* step_times;  // null if timing was not requested
};

struct NamespaceFailure {
  Step step;
  long error;  // a negative errno; 0 or more: success
};

// Afterwards this process has the run's uid and gid, root's supplementary groups are dropped where
// the kernel allows that, and the host name is "bawn". The ids, groups and namespace inodes have
// been read back into `readback`.
[[nodiscard]] NamespaceFailure furnish_namespaces(const NamespaceOrder& order);

// Checks that the namespaces which were read back differ from the caller's, which the exec message
// lists. 0, or ESRCH as a negative errno if one is the same.
[[nodiscard]] long compare_namespaces(const Exec& exec, const Readback& readback);

// Reads a namespace's inode number from a link such as "net:[4026531833]". The link's text is
// cheap; for a stat of the file behind it the kernel would first have to create that file. `inode`
// must be 0 before. 0 or a negative errno.
[[nodiscard]] long read_namespace(int directory, const char* name, std::uint64_t& inode);

}  // namespace bawn::init
