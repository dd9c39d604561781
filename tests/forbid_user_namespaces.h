// A host that forbids user namespaces, for one process and all that it starts.
#pragma once

#include <sched.h>

#include <cerrno>

#include "refuse_call.h"

namespace bawn {

// Every clone for one fails as the kernel fails it where an administrator or a container has
// forbidden them. For good: to be called in a process of its own.
inline bool forbid_user_namespaces() {
  return refuse_call({.number = SYS_clone,
                      .argument = 0,
                      .test = RefusedCall::Test::has_a_bit_of,
                      .value = CLONE_NEWUSER,
                      .error = EPERM});
}

}  // namespace bawn
