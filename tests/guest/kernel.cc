// The kernel's surface: any system call with harmless arguments, by any entry.

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cstddef>

#include "guest.h"

namespace guest {
namespace {

char buffer[4096];

// A number in any base, "buffer" for zeroed memory, or any other text as a string.
long argument_of(const std::string& word) {
  if (word == "buffer") return reinterpret_cast<long>(buffer);
  char* end = nullptr;
  const auto value = static_cast<long>(std::strtoull(word.c_str(), &end, 0));
  return *end == '\0' ? value : reinterpret_cast<long>(word.c_str());
}

struct Call {
  long number = 0;
  long arguments[6] = {};
};

Call call_of(const Arguments& words) {
  Call call;
  call.number = argument_of(words.at(0));
  for (size_t i = 1; i < words.size() && i <= 6; ++i) call.arguments[i - 1] = argument_of(words[i]);
  return call;
}

int make_call(const Arguments& words) {
  const auto [number, a] = call_of(words);
  const long result = syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
  // After a successful clone() this code runs in two processes. The child must print nothing.
  if (result == 0 && number == SYS_clone) _exit(0);
  return answer(result != -1);
}

// Proves that the verb really makes the call: a filter answers the call with an errno that nothing
// else returns.
int do_answering(const Arguments& words) {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(number(words.at(0))), 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EXFULL),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
    return answer(false);
  return act(Arguments(words.begin() + 1, words.end()));
}

#if defined(__x86_64__)
int call_by_i386(const Arguments& words) {
  long result = argument_of(words.at(0));
  asm volatile("int $0x80" : "+a"(result) : : "memory", "r8", "r9", "r10", "r11");
  errno = static_cast<int>(-result);
  return answer(result >= 0);
}
int call_by_x32(const Arguments& words) {
  constexpr long kX32 = 0x40000000;
  return answer(syscall(kX32 | argument_of(words.at(0)), 0, 0, 0, 0, 0, 0) != -1);
}
#endif

constexpr Verb kVerbs[] = {
    {"call", make_call},
    {"answering", do_answering},
#if defined(__x86_64__)
    {"call-by-i386", call_by_i386},
    {"call-by-x32", call_by_x32},
#endif
};

}  // namespace

const std::span<const Verb> kKernelVerbs = kVerbs;

}  // namespace guest
