// Runs before the C library, and before the program has relocated itself: only raw system calls, no
// pointers in constants, and nothing that a compiler would turn into a call of memcpy (tests/linux
// links it alone).
#include "linux/early_init.h"

#include <fcntl.h>
#include <linux/memfd.h>
#include <sys/resource.h>
#include <sys/socket.h>

#include "linux/init/kernel.h"
#include "linux/init_image.h"

// Defined by the linker: begin and end of the data that is relocated.
extern "C"
    [[gnu::visibility("hidden")]] char __init_array_start[];  // NOLINT: the linker chose the name
extern "C" [[gnu::visibility("hidden")]] char _edata[];       // NOLINT: the linker chose the name

namespace bawn {
namespace {

using init::kernel;

// Since Linux 6.3. On older kernels every memfd is executable, and the flag is refused.
constexpr unsigned kMfdExec = 0x10;

bool is(const char* word, const char* wanted) {
  while (*word == *wanted && *wanted != 0) ++word, ++wanted;
  return *word == *wanted;
}

bool begins(const char* word, const char* start) {
  while (*start != 0 && *word == *start) ++word, ++start;
  return *start == 0;
}

// Options that may need other namespaces than those made here, or start no run at all.
bool decides_otherwise(const char* word) {
  return begins(word, "--tier") || begins(word, "--mode") || begins(word, "--policy") ||
         begins(word, "--egress") || begins(word, "--allow") || begins(word, "--help") ||
         is(word, "-h");
}

// "--tier c" asks for exactly the namespaces that are made here.
bool names_tier_c(const char* const* words) {
  return is(words[0], "--tier") && words[1] != nullptr &&
         (is(words[1], "c") || is(words[1], "namespaces"));
}

// Options that change the setup message, so that the early one would be wrong.
bool alters_setup(const char* word) {
  return begins(word, "--tmp-size") || begins(word, "--as-") || begins(word, "--id-ranges");
}

// The kind of run that the arguments suggest. Only a guess: they are parsed properly later.
struct Intention {
  bool new_netns = false;
  bool plain = true;  // no argument changes the setup message
  bool timing = false;
};

Intention guess_intention(const char* const* argv) {
  Intention guess;
  if (argv[0] == nullptr || argv[1] == nullptr || !is(argv[1], "run")) return guess;
  for (const char* const* word = argv + 2; *word != nullptr && !is(*word, "--"); ++word) {
    if (names_tier_c(word)) {
      ++word;
    } else if (decides_otherwise(*word)) {
      return guess;
    } else if (alters_setup(*word)) {
      guess.plain = false;
    } else if (is(*word, "--timing")) {
      guess.timing = true;
    }
  }
  guess.new_netns = true;
  return guess;
}

bool has_policy(const char* const* envp) {
  for (; *envp != nullptr; ++envp) {
    if (begins(*envp, "BAWN_POLICY=") || begins(*envp, "BAWN_MODE=")) return true;
  }
  return false;
}

// If one of 0, 1 and 2 were free, a descriptor opened here would get that number.
bool has_stdio() {
  for (int fd = 0; fd < 3; ++fd) {
    if (kernel(__NR_fcntl, fd, F_GETFD) < 0) return false;
  }
  return true;
}

// Writing beyond RLIMIT_FSIZE would kill this program with SIGXFSZ; InitProcess::start() reports it
// as an error later.
bool may_write(long size) {
  struct rlimit64 limit = {};
  return kernel(__NR_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit) == 0 &&
         limit.rlim_cur >= static_cast<unsigned long>(size);
}

long make_image() {
  const auto size = static_cast<long>(bawn_init_end - bawn_init_begin);
  if (!may_write(size)) return -1;
  long image = kernel(__NR_memfd_create, "bawn-init", MFD_CLOEXEC | kMfdExec);
  if (image == init::kEinval) image = kernel(__NR_memfd_create, "bawn-init", MFD_CLOEXEC);
  if (image < 0) return image;
  return kernel(__NR_write, image, bawn_init_begin, size) == size ? image : -1;
}

// The program writes to every page of initialised data when it relocates itself. Populating all of
// them in one call is cheaper than one page fault each. A kernel before 5.14 refuses the call,
// which does no harm.
void touch_own_data() {
  constexpr std::uintptr_t kPage = 4096;
  constexpr int kPopulateWrite = 23;
  const auto first = reinterpret_cast<std::uintptr_t>(__init_array_start) / kPage * kPage;
  const auto size = reinterpret_cast<std::uintptr_t>(_edata) - first;
  kernel(__NR_madvise, first, size, kPopulateWrite);
}

}  // namespace

constinit EarlyInit early_init;  // a constructor would run after bawn_begin()

namespace {

// A failure here is not reported: InitProcess::start() tries again later and reports it then.
// Descriptors that are left open are closed by exec or exit.
void begin_init() {
  int pair[2];
  const long image = make_image();
  if (image < 0 || kernel(__NR_socketpair, AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
    return;
  VmClone& vm_clone = early_init.vm_clone;
  vm_clone.control = pair[1];
  vm_clone.image = static_cast<int>(image);
  vm_clone.namespaces = NamespaceSet::new_netns;
  const long pid = begin_vm_clone(vm_clone, early_init.pidfd);
  kernel(__NR_close, pair[1]);
  kernel(__NR_close, image);
  if (pid < 0) {
    kernel(__NR_close, pair[0]);
    return;
  }
  early_init.control = pair[0];
  early_init.pid = pid;
}

}  // namespace

extern "C" [[gnu::used]] void bawn_begin(const long* stack) {
  const auto* argv = reinterpret_cast<const char* const*>(stack + 1);
  const char* const* envp = argv + stack[0] + 1;
  const Intention intention = guess_intention(argv);
  if (intention.new_netns && has_stdio()) begin_init();
  if (early_init.pid != 0 && intention.plain && !has_policy(envp)) {
    send_early({.init = early_init.pid, .control = early_init.control, .timing = intention.timing},
               early_init.setup);
  }
  touch_own_data();
}

}  // namespace bawn

// Calls bawn_begin(), then jumps to the C library's entry with the registers that the kernel set.
#if defined(__x86_64__)
__asm__(
    ".text\n"
    ".globl bawn_entry\n"
    ".hidden bawn_entry\n"
    "bawn_entry:\n"
    "  mov %rsp, %rbx\n"
    "  mov %rdx, %r12\n"
    "  mov %rsp, %rdi\n"
    "  and $-16, %rsp\n"
    "  call bawn_begin\n"
    "  mov %rbx, %rsp\n"
    "  mov %r12, %rdx\n"
    "  jmp _start\n");
#else
__asm__(
    ".text\n"
    ".globl bawn_entry\n"
    ".hidden bawn_entry\n"
    "bawn_entry:\n"
    "  mov x19, x0\n"
    "  mov x0, sp\n"
    "  bl bawn_begin\n"
    "  mov x0, x19\n"
    "  b _start\n");
#endif
