// A child that does nothing but hold a new user namespace: the id maps of a namespace without a
// process cannot be written.
//
// It shares our memory, on a stack of its own, and makes one raw system call: it waits for the end
// of this process. spawn/mount_id_map.h owns one. Use that everywhere else.
#pragma once

namespace bawn::linux_ {

// Must not move or go away before the child has ended.
struct NamespaceHolder {
  int parent = -1;  // a pidfd of this process, borrowed for the child's life: it ends with us
  alignas(16) char stack[4096] = {};
};

// Returns the pid, or a negative errno. `pidfd` is owned by the caller. The child ends without a
// signal to us (SIGCHLD), and must be waited for with __WALL. All signals must be blocked.
[[nodiscard]] long begin_namespace_holder(NamespaceHolder& holder, int& pidfd);

}  // namespace bawn::linux_
