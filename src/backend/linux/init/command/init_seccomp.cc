#include "backend/linux/init/command/init_seccomp.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/prctl.h>
#include <linux/seccomp.h>

#include <cstddef>

#include "backend/linux/init/kernel.h"

namespace bawn::init {
namespace {

// clang-format off
constexpr unsigned kAllowed[] = {
    __NR_ppoll, __NR_recvfrom, __NR_sendto, __NR_sendmsg,          // control codes and reports
    __NR_kill, __NR_wait4, __NR_waitid, __NR_read, __NR_write,     // the tree; cgroup.kill
    __NR_openat, __NR_getdents64, __NR_getrusage, __NR_statfs,     // resource usage
    __NR_ioctl,                                                    // the terminal's foreground
    __NR_lseek,                                                    // how far stdin was read
    __NR_close, __NR_clock_gettime, __NR_restart_syscall, __NR_exit_group,
};
// clang-format on
constexpr std::size_t kCount = sizeof kAllowed / sizeof kAllowed[0];

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
#else
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
#endif

struct Filter {
  struct sock_filter code[kCount + 6];
};

// The filter needs no rule for x32: those calls have bit 30 set in their number, so none is in the
// list.
constexpr Filter make_filter() {
  Filter filter = {};
  std::size_t at = 0;
  const auto add = [&](unsigned short code, unsigned char yes, unsigned char no, unsigned value) {
    filter.code[at++] = {code, yes, no, value};
  };
  add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, arch));
  add(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, kArchitecture);
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_KILL_PROCESS);
  add(BPF_LD | BPF_W | BPF_ABS, 0, 0, offsetof(struct seccomp_data, nr));
  for (std::size_t i = 0; i < kCount; ++i) {
    add(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned char>(kCount - i), 0, kAllowed[i]);
  }
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | 1);
  add(BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW);
  return filter;
}

}  // namespace

long confine_init() {
  static constexpr Filter kFilter = make_filter();
  if (const long error = kernel(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); error < 0)
    return error;
  Filter filter = kFilter;
  const struct sock_fprog program = {sizeof filter.code / sizeof filter.code[0], filter.code};
  if (const long error = kernel(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program); error < 0)
    return error;
  // prctl is not in the list, so this very question must be refused with EPERM.
  return kernel(__NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) == kEperm ? 0 : kEinval;
}

}  // namespace bawn::init
