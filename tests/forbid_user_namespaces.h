// Makes a host that forbids user namespaces, for this process and its children.
#pragma once

#include <sched.h>

#include <cerrno>

#include "refuse_call.h"

namespace bawn {

// Every clone() with CLONE_NEWUSER fails with EPERM, as where an administrator or a container
// forbids it. Cannot be undone: call it in a child process.
inline bool forbid_user_namespaces() {
  return refuse_call({.number = SYS_clone,
                      .argument = 0,
                      .test = RefusedCall::Test::has_a_bit_of,
                      .value = CLONE_NEWUSER,
                      .error = EPERM});
}

}  // namespace bawn
