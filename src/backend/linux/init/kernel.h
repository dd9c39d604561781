// Raw system calls: init's only way to the kernel.
//
// Every call returns the kernel's result: a value, or a negative errno. There is no errno variable
// and no retry after EINTR. Headers of the C library are used in this folder for types and
// constants only; none of its code is linked. Code outside this folder uses sys/ instead, except
// what runs before the C library is initialised.
#pragma once

#include <asm/unistd.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace bawn::init {

// An argument as the kernel takes it: a pointer's address, or a number.
template <class Argument>
long word(Argument argument) {
  if constexpr (std::is_pointer_v<Argument>) {
    return reinterpret_cast<long>(argument);
  } else if constexpr (std::is_null_pointer_v<Argument>) {
    return 0;
  } else {
    return static_cast<long>(argument);
  }
}

// BAWN_CALL_REGISTERS declares the variables that are registers of a system call with the number
// `number` and the arguments a to e.
#if defined(__x86_64__)
#define BAWN_CALL_REGISTERS             \
  long result;                          \
  register long r10 __asm__("r10") = d; \
  register long r8 __asm__("r8") = e
inline long raw_call(long number, long a, long b, long c, long d, long e, long f) {
  BAWN_CALL_REGISTERS;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}
#elif defined(__aarch64__)
#define BAWN_CALL_REGISTERS                \
  register long x8 __asm__("x8") = number; \
  register long x0 __asm__("x0") = a;      \
  register long x1 __asm__("x1") = b;      \
  register long x2 __asm__("x2") = c;      \
  register long x3 __asm__("x3") = d;      \
  register long x4 __asm__("x4") = e
inline long raw_call(long number, long a, long b, long c, long d, long e, long f) {
  BAWN_CALL_REGISTERS;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc 0"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                   : "memory");
  return x0;
}
#else
#error "init knows x86_64 and aarch64"
#endif

// A system call with up to six arguments. Those that are not given are 0.
template <class... Arguments>
long kernel(long number, Arguments... arguments) {
  const long words[6] = {word(arguments)...};
  return raw_call(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}

// The errors that init tells apart, as a call returns them.
inline constexpr long kEperm = -1;
inline constexpr long kEnoent = -2;
inline constexpr long kEsrch = -3;
inline constexpr long kEintr = -4;
inline constexpr long kE2big = -7;
inline constexpr long kEacces = -13;
inline constexpr long kEbusy = -16;
inline constexpr long kEexist = -17;
inline constexpr long kEinval = -22;
inline constexpr long kEnospc = -28;
inline constexpr long kEnosys = -38;
inline constexpr long kEloop = -40;
inline constexpr long kEstale = -116;

// Named constants, because <signal.h> has macros and would bring in much of the C library.
inline constexpr int kHangUpSignal = 1;
inline constexpr int kInterruptSignal = 2;
inline constexpr int kQuitSignal = 3;
inline constexpr int kKillSignal = 9;
inline constexpr int kTermSignal = 15;
inline constexpr int kChildSignal = 17;
inline constexpr int kContinueSignal = 18;
inline constexpr int kStopSignal = 19;
inline constexpr int kSuspendSignal = 20;

// struct sigaction as the kernel has it; the C library's differs. All zero is SIG_DFL.
struct SignalAction {
  void* handler;
  unsigned long flags;
  void* restorer;
  std::uint64_t mask;
};
inline constexpr SignalAction kDefaultAction{};

// Ends the process with all its threads. Runs no destructors.
[[noreturn]] inline void leave(int code) {
  for (;;) kernel(__NR_exit_group, code);
}

// A number in decimal, with a zero byte at the end. 24 characters hold any 64-bit number.
struct Decimal {
  char text[24];
  explicit Decimal(std::uint64_t number) {
    char reversed[24];
    std::size_t length = 0;
    do {
      reversed[length++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    for (std::size_t i = 0; i < length; ++i) text[i] = reversed[length - 1 - i];
    text[length] = 0;
  }
};

// The names in a directory, read with getdents64, without "." and "..". `fd` is borrowed, and its
// position moves. An entry that is added or removed meanwhile may or may not be seen.
class DirectoryEntries {
 public:
  explicit DirectoryEntries(int fd) : fd_(fd) {}

  // The next name, or null at the end or on an error. Valid until the next call.
  const char* next() {
    for (;;) {
      if (at_ >= filled_) {
        const long got = kernel(__NR_getdents64, fd_, buffer_, sizeof buffer_);
        if (got <= 0) return nullptr;
        filled_ = static_cast<std::size_t>(got);
        at_ = 0;
      }
      const char* entry = buffer_ + at_;
      at_ += *reinterpret_cast<const std::uint16_t*>(entry + kRecordLength);
      const char* name = entry + kName;
      const bool dots = name[0] == '.' && (name[1] == 0 || (name[1] == '.' && name[2] == 0));
      if (!dots) return name;
    }
  }

 private:
  // struct linux_dirent64: ino 8, off 8, reclen 2, type 1, name.
  static constexpr std::size_t kRecordLength = 16;
  static constexpr std::size_t kName = 19;

  int fd_;
  std::size_t at_ = 0;
  std::size_t filled_ = 0;
  alignas(8) char buffer_[2048];
};

}  // namespace bawn::init
