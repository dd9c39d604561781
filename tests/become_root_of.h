// Makes this process root of a new user namespace, so that it may set that namespace's limits and
// mounts. Works without privilege where the host allows user namespaces.
#pragma once

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/control_file.h"

namespace bawn {

// Adds more `namespaces` (CLONE_NEW...). False if a step fails. Cannot be undone: call it in a
// child process.
inline bool become_root_of(int namespaces) {
  const uid_t user = geteuid();
  const gid_t group = getegid();
  return unshare(CLONE_NEWUSER | namespaces) == 0 &&
         sys::write_control(AT_FDCWD, "/proc/self/setgroups", "deny") &&
         sys::write_control(AT_FDCWD, "/proc/self/gid_map", concat("0 ", group, " 1")) &&
         sys::write_control(AT_FDCWD, "/proc/self/uid_map", concat("0 ", user, " 1"));
}

}  // namespace bawn
