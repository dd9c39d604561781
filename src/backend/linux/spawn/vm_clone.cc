#include "backend/linux/spawn/vm_clone.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/securebits.h>
#include <signal.h>
#include <sys/prctl.h>

#include "backend/linux/init/clone_onto.h"
#include "backend/linux/init/command/privileges.h"
#include "backend/linux/init/cpu_spread.h"
#include "backend/linux/init/role.h"

namespace bawn::linux_ {
namespace {

using init::kernel;

// In a new user namespace the child has every capability, and exec drops all but the ambient ones.
// Without SECBIT_NOROOT, exec would give all of them to the namespace's root, which the child is if
// its ids are mapped to root by then. Init reads the result back.
long keep_capabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3] = {};
  for (const int capability : init::kKeptCapabilities) sets[0].inheritable |= 1U << capability;
  sets[0].permitted = sets[0].effective = sets[0].inheritable;
  if (const long error = kernel(__NR_prctl, PR_SET_SECUREBITS, SECBIT_NOROOT, 0, 0, 0); error < 0)
    return error;
  if (const long error = kernel(__NR_capset, &header, sets); error < 0) return error;
  for (const int capability : init::kKeptCapabilities) {
    const long raised = kernel(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
    if (raised < 0) return raised;
  }
  return 0;
}

// Returns only after a failure, with a negative errno.
long exec_init(const VmClone& vm_clone) {
  if (vm_clone.namespaces != NamespaceSet::none) {
    if (const long error = keep_capabilities(); error < 0) return error;
  }
  if (const long error = kernel(__NR_dup3, vm_clone.control, 0, 0); error < 0) return error;
  if (const long error = kernel(__NR_dup3, vm_clone.image, 1, O_CLOEXEC); error < 0) return error;
  if (const long error = kernel(__NR_close_range, 2, ~0U, 0); error < 0) return error;
  const bool new_netns = vm_clone.namespaces == NamespaceSet::new_netns;
  const char* argv[] = {"bawn-init", new_netns ? init::kInitWithNetns : init::kInit, nullptr};
  const char* envp[] = {nullptr};
  return kernel(__NR_execveat, 1, "", argv, envp, AT_EMPTY_PATH);
}

void live(void* argument) {
  auto* vm_clone = static_cast<VmClone*>(argument);
  vm_clone->error = static_cast<int>(-exec_init(*vm_clone));
  init::leave(127);
}

// The cgroup namespace is made later, with the command. Init makes the network namespace itself, in
// parallel with its other work.
unsigned long clone_flags(NamespaceSet namespaces) {
  if (namespaces == NamespaceSet::none) return 0;
  return CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
}

}  // namespace

long begin_vm_clone(VmClone& vm_clone, int& pidfd) {
  vm_clone.pending = 1;
  const init::Cloned cloned = init::clone_onto({
      .flags = CLONE_VM | CLONE_PIDFD | CLONE_CHILD_CLEARTID | clone_flags(vm_clone.namespaces),
      // The caller's handlers must not run in the child. They cannot, since all signals are
      // blocked; this is a second reason. It leaves ignored signals ignored, as exec does: init
      // resets them.
      .clone3_flags = CLONE_CLEAR_SIGHAND,
      .exit_signal = SIGCHLD,
      .stack = vm_clone.stack,
      .stack_size = sizeof vm_clone.stack,
      .entry = live,
      .argument = &vm_clone,
      .pidfd = &pidfd,
      .ended = &vm_clone.pending,
  });
  vm_clone.by_clone3 = cloned.by_clone3;
  if (cloned.task < 0) {
    vm_clone.pending = 0;
  } else {
    init::spread_cpu(cloned.task);
  }
  return cloned.task;
}

void end_vm_clone(VmClone& vm_clone) {
  for (;;) {
    const int pending = __atomic_load_n(&vm_clone.pending, __ATOMIC_ACQUIRE);
    if (pending == 0) return;
    kernel(__NR_futex, &vm_clone.pending, FUTEX_WAIT, pending, nullptr, nullptr, 0);
  }
}

}  // namespace bawn::linux_
