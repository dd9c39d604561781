// Makes a host that refuses one system call, for this process and its children: a seccomp filter
// answers it with an errno. Simulates old kernels, containers and shortages.
#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace bawn {

// The call, and a condition on one argument: its lower 32 bits equal the value, share a bit with
// it, or are not less.
struct RefusedCall {
  std::uint32_t number;
  std::size_t argument;
  enum class Test : std::uint16_t {
    equals = BPF_JEQ,
    has_a_bit_of = BPF_JSET,
    is_at_least = BPF_JGE
  } test;
  std::uint32_t value;
  std::uint32_t error;  // errno
};

// Installs the filter. False if the kernel does not take it. Cannot be undone: call it in a child
// process.
//
// A filter sees the flags of clone, but not those of clone3, which are in memory. So one that
// refuses some clones must refuse every clone3, as docker's does: with ENOSYS, which leads to
// clone.
inline bool refuse_call(const RefusedCall& refused) {
  if (refused.number == SYS_clone &&
      !refuse_call({SYS_clone3, 0, RefusedCall::Test::is_at_least, 0, ENOSYS}))
    return false;
  const auto argument = static_cast<std::uint32_t>(offsetof(seccomp_data, args) +
                                                   refused.argument * sizeof(std::uint64_t));
  const auto test =
      static_cast<std::uint16_t>(BPF_JMP | BPF_K | static_cast<std::uint16_t>(refused.test));
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, refused.number, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, argument),
      BPF_JUMP(test, refused.value, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | refused.error),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

}  // namespace bawn
