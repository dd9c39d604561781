// An init from clone to exec.
//
// Until the exec it lives in our memory, on a stack of its own, and does nothing but raw system
// calls: not even errno is its own. So this works in any thread of any program, and before the C
// library has begun (early_init.h).
#pragma once

namespace bawn {

enum class NamespaceSet {
  none,          // among the caller's own processes
  shared_netns,  // in namespaces of its own, with the caller's network
  new_netns,     // and in a network of its own
};

// Stays where it is until the clone is over.
struct VmClone {
  int control = 0;  // becomes its only file
  int image = 0;    // its program; neither may be 0 or 1
  NamespaceSet namespaces = NamespaceSet::none;
  int error = 0;    // the errno for which there was no exec
  int pending = 0;  // the kernel makes it 0 when the process has left our memory
  alignas(16) char stack[4096] = {};
};

// As clone: the new process, or a negative errno. Signals must be blocked, or have no handlers yet.
[[nodiscard]] long begin_vm_clone(VmClone& vm_clone, int& pidfd);

// Waits until the process has left our memory, by exec or by its end. Its `error` says which.
void end_vm_clone(VmClone& vm_clone);

}  // namespace bawn
