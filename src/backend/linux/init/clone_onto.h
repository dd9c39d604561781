// Makes a task that shares the caller's memory, by clone3 or, where that is refused, by clone.
//
// Everything that must be in force is among the flags that both calls take, so a task that clone
// made is as confined as one that clone3 made. Only clone3 can put the task into a cgroup
// (CLONE_INTO_CGROUP) and reset its signal handlers (CLONE_CLEAR_SIGHAND).
//
// For code without a C library, and for code that must not use it between clone and exec.
#pragma once

#include <linux/sched.h>

#include "backend/linux/init/kernel.h"

namespace bawn::init {

// Whether clone may succeed where clone3 gave this error. ENOSYS: a kernel before 5.3, or the
// filter of a container (docker's), which cannot see the flags that clone3 takes from memory. EPERM
// is the answer of other filters. EINVAL, E2BIG: a kernel that lacks a flag or a field. EACCES: no
// permission for the cgroup. If the kernel itself forbids the namespaces (EPERM), clone says so a
// second time. Every other error is final: EAGAIN, say, means that a limit on processes is reached.
inline bool may_try_clone(long error) {
  return error == kEnosys || error == kEperm || error == kEinval || error == kE2big ||
         error == kEacces;
}

struct CloneOrder {
  std::uint64_t flags;         // CLONE_*; CLONE_VM among them
  std::uint64_t clone3_flags;  // more flags, which clone does not have
  int exit_signal;             // 0 for a thread
  char* stack;                 // borrowed; its end must be aligned to 16
  std::size_t stack_size;
  void (*entry)(void* argument);  // must not return: it ends with exit or exec
  void* argument;  // borrowed, as the stack, until the task has exited or called exec
  int* pidfd;      // with CLONE_PIDFD: where the kernel puts it
  int* ended;      // with CLONE_CHILD_CLEARTID: what the kernel sets to 0 when the task ends
};

struct Cloned {
  long task;  // the new task's id, or a negative errno; then no task exists
  bool by_clone3;
};

// Makes the system call. The new task finds two words on its stack, the entry function and its
// argument, and starts there. It must not touch this function's locals, because they are not on its
// stack. That is why the code after the system call is assembly.
inline long call_and_enter(long number, long a, long b, long c, long d, long e) {
  BAWN_CALL_REGISTERS;
#if defined(__x86_64__)
  __asm__ volatile(
      "syscall\n"
      "test %%rax, %%rax\n"
      "jnz 1f\n"
      "xor %%ebp, %%ebp\n"
      "pop %%rax\n"
      "pop %%rdi\n"
      "call *%%rax\n"
      "ud2\n"
      "1:\n"
      : "=a"(result)
      : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
      : "rcx", "r11", "memory");
  return result;
#else
  __asm__ volatile(
      "svc 0\n"
      "cbnz x0, 1f\n"
      "ldp x9, x0, [sp], #16\n"
      "blr x9\n"
      "brk 0\n"
      "1:\n"
      : "+r"(x0)
      : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4)
      : "memory", "x9", "x30");
  return x0;
#endif
}

// Starts the task on its stack, in its entry function. Always inlined: otherwise the compiler would
// keep a constant order in memory, whose pointers need relocations, and init has no loader.
[[gnu::always_inline]] inline Cloned clone_onto(const CloneOrder& order) {
  auto* top = reinterpret_cast<std::uint64_t*>(order.stack + order.stack_size) - 2;
  top[0] = reinterpret_cast<std::uint64_t>(order.entry);
  top[1] = reinterpret_cast<std::uint64_t>(order.argument);
  struct clone_args arguments = {};
  arguments.flags = order.flags | order.clone3_flags;
  arguments.pidfd = reinterpret_cast<std::uint64_t>(order.pidfd);
  arguments.child_tid = reinterpret_cast<std::uint64_t>(order.ended);
  arguments.exit_signal = static_cast<__u64>(order.exit_signal);
  arguments.stack = reinterpret_cast<std::uint64_t>(order.stack);
  arguments.stack_size = order.stack_size - 2 * sizeof *top;
  const long task = call_and_enter(__NR_clone3, word(&arguments), sizeof arguments, 0, 0, 0);
  if (!may_try_clone(task)) return {task, true};
  const auto flags = static_cast<long>(order.flags) | order.exit_signal;
#if defined(__x86_64__)
  return {call_and_enter(__NR_clone, flags, word(top), word(order.pidfd), word(order.ended), 0),
          false};
#else
  return {call_and_enter(__NR_clone, flags, word(top), word(order.pidfd), 0, word(order.ended)),
          false};
#endif
}

}  // namespace bawn::init
