// Starts an init process, from clone to exec.
//
// Until its exec the child runs in our memory, on a separate stack, and makes only raw system
// calls; it does not touch errno. So this works in any thread of any program. Use InitProcess,
// which owns the result, everywhere else.
#pragma once

namespace bawn::linux_ {

enum class NamespaceSet {
  none,          // the caller's namespaces
  shared_netns,  // new namespaces, but the caller's network namespace
  new_netns,     // new namespaces, a network namespace among them
};

// Arguments and stack of the child. Must not move or go away before end_vm_clone() has returned.
struct VmClone {
  // Borrowed for begin_vm_clone(); neither may be 0 or 1. `control` becomes the child's only file,
  // `image` is the executable.
  int control = 0;
  int image = 0;
  NamespaceSet namespaces = NamespaceSet::none;
  bool by_clone3 = false;  // begin_vm_clone() says which call made the child: clone3 or clone
  int error = 0;           // errno if the exec failed
  int pending = 0;         // the kernel sets it to 0 when the child has left our memory
  alignas(16) char stack[4096] = {};
};

// Returns the pid, or a negative errno. `pidfd` is owned by the caller. All signals must be
// blocked, or have no handlers yet.
[[nodiscard]] long begin_vm_clone(VmClone& vm_clone, int& pidfd);

// Waits until the child has left our memory, by exec or by exit. `error` says which.
void end_vm_clone(VmClone& vm_clone);

}  // namespace bawn::linux_
