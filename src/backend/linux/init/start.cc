// What a C library would provide: the entry point _start, and the two functions that a compiler may
// call on its own.

#include <cstddef>

// The compiler may turn any copy or fill into a call of these. `volatile` keeps it from turning
// these loops into calls of themselves.
extern "C" {
void* memset(void* to, int byte, std::size_t count) {
  auto* out = static_cast<volatile char*>(to);
  for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<char>(byte);
  return to;
}
void* memcpy(void* __restrict to, const void* __restrict from, std::size_t count) {
  auto* out = static_cast<volatile char*>(to);
  const auto* in = static_cast<const char*>(from);
  for (std::size_t i = 0; i < count; ++i) out[i] = in[i];
  return to;
}
}

#if defined(__x86_64__)
__asm__(
    ".globl _start\n"
    "_start:\n"
    "  xor %ebp, %ebp\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call bawn_init_main\n");
#else
__asm__(
    ".globl _start\n"
    "_start:\n"
    "  mov x0, sp\n"
    "  bl bawn_init_main\n");
#endif
