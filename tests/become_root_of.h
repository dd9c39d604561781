// A process that is root of a user namespace of its own, so that it may set that namespace's limits
// and mounts.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/control_file.h"

namespace bawn {

// With more `namespaces` (CLONE_NEW...) beside it. For good: to be called in a process of its own.
inline bool become_root_of(int namespaces) {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  return unshare(CLONE_NEWUSER | namespaces) == 0 &&
         sys::write_control(AT_FDCWD, "/proc/self/setgroups", "deny") &&
         sys::write_control(AT_FDCWD, "/proc/self/gid_map", concat("0 ", group, " 1")) &&
         sys::write_control(AT_FDCWD, "/proc/self/uid_map", concat("0 ", user, " 1"));
}

}  // namespace bawn
