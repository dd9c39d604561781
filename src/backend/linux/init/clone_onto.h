// clone() with CLONE_VM, for code without a C library or before it is initialised.
//
// The new thread or process starts on the given stack in the given function, which must not return.
// The caller keeps the stack and the argument alive until the new task has exited or called exec.
#pragma once

#include "backend/linux/init/kernel.h"

namespace bawn::init {

struct CloneOrder {
  unsigned long flags;
  char* stack_top;                // borrowed; must be aligned to 16
  void (*entry)(void* argument);  // must not return: it ends with exit or exec
  void* argument;
  int* pidfd;  // with CLONE_PIDFD: where the kernel puts it
  int* ended;  // with CLONE_CHILD_CLEARTID: what the kernel sets to 0 when the task ends
};

// Returns the new task's id, or a negative errno. On failure no task exists.
//
// The new task's stack holds two words: the entry function and its argument. The new task must not
// touch this function's locals, because they are not on its stack. That is why the code after the
// system call is assembly.
inline long clone_onto(const CloneOrder& order) {
  auto* top = reinterpret_cast<std::uint64_t*>(order.stack_top) - 2;
  top[0] = reinterpret_cast<std::uint64_t>(order.entry);
  top[1] = reinterpret_cast<std::uint64_t>(order.argument);
#if defined(__x86_64__)
  long result;
  register long ended __asm__("r10") = word(order.ended);
  register long no_storage __asm__("r8") = 0;
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
      : "a"(__NR_clone), "D"(order.flags), "S"(top), "d"(order.pidfd), "r"(ended), "r"(no_storage)
      : "rcx", "r11", "memory");
  return result;
#else
  register long x8 __asm__("x8") = __NR_clone;
  register long x0 __asm__("x0") = static_cast<long>(order.flags);
  register long x1 __asm__("x1") = word(top);
  register long x2 __asm__("x2") = word(order.pidfd);
  register long no_storage __asm__("x3") = 0;
  register long ended __asm__("x4") = word(order.ended);
  __asm__ volatile(
      "svc 0\n"
      "cbnz x0, 1f\n"
      "ldp x9, x0, [sp], #16\n"
      "blr x9\n"
      "brk 0\n"
      "1:\n"
      : "+r"(x0)
      : "r"(x8), "r"(x1), "r"(x2), "r"(no_storage), "r"(ended)
      : "memory", "x9", "x30");
  return x0;
#endif
}

}  // namespace bawn::init
