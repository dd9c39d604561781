// What fence.json, default.json and strict.json answer to calls, on both architectures.
//
// Each row is asked twice: as it stands, and with the upper halves of all arguments full of something. The kernel takes
// an int or a mode from the lower bits only, so the answer must be the same.

#include <gtest/gtest.h>
#include <linux/audit.h>
#include <sched.h>

#include <cerrno>
#include <ostream>

#include "bpf_machine.h"
#include "linux/filter_hash.h"
#include "linux/seccomp_filter.h"
#include "profiles.h"

namespace bawn::test {
namespace {

using seccomp::Architecture;

constexpr int kAllowed = 0;

struct Row {
  const char* what;
  std::string name;
  std::vector<std::uint64_t> arguments;
  int in_default;  // kAllowed or an errno
  int in_strict;

  friend std::ostream& operator<<(std::ostream& out, const Row& row) {
    return out << row.name << ": " << row.what;
  }
};

constexpr std::uint64_t kSetUserId = 04000;
constexpr std::uint64_t kSetGroupId = 02000;
constexpr std::uint64_t kCreate = 0100;
constexpr std::uint64_t kTemporary = 020000000;
constexpr std::uint64_t kStream = 1;
constexpr std::uint64_t kDatagram = 2;
constexpr std::uint64_t kRaw = 3;
constexpr std::uint64_t kCloseOnExec = 02000000;

const Row kRows[] = {
    {"an everyday call", "read", {}, kAllowed, kAllowed},
    {"an everyday call", "execve", {}, kAllowed, kAllowed},
    {"an everyday call", "execveat", {}, kAllowed, kAllowed},
    {"an everyday call", "memfd_create", {}, kAllowed, kAllowed},
    {"an everyday call", "inotify_add_watch", {}, kAllowed, kAllowed},
    {"one of the newest", "file_getattr", {}, kAllowed, kAllowed},
    {"one of the newest", "mseal", {}, kAllowed, kAllowed},
    {"traced by the host", "uretprobe", {}, kAllowed, kAllowed},

    {"a thread", "clone", {0x3d0f00}, kAllowed, kAllowed},
    {"a fork", "clone", {SIGCHLD | 0x01200000}, kAllowed, kAllowed},
    {"a signal with the bit of CLONE_NEWTIME", "clone", {0x80 | 17}, kAllowed, kAllowed},
    {"CLONE_NEWNS", "clone", {CLONE_NEWNS}, EPERM, EPERM},
    {"CLONE_NEWCGROUP", "clone", {CLONE_NEWCGROUP | 17}, EPERM, EPERM},
    {"CLONE_NEWUTS", "clone", {CLONE_NEWUTS | 17}, EPERM, EPERM},
    {"CLONE_NEWIPC", "clone", {CLONE_NEWIPC | 17}, EPERM, EPERM},
    {"CLONE_NEWUSER", "clone", {CLONE_NEWUSER | 17}, EPERM, EPERM},
    {"CLONE_NEWPID", "clone", {CLONE_NEWPID | 17}, EPERM, EPERM},
    {"CLONE_NEWNET", "clone", {CLONE_NEWNET | 17}, EPERM, EPERM},
    {"flags out of sight", "clone3", {0x1000, 88}, ENOSYS, ENOSYS},

    {"files and directory", "unshare", {CLONE_FILES | CLONE_FS}, kAllowed, kAllowed},
    {"semaphores", "unshare", {CLONE_SYSVSEM}, kAllowed, kAllowed},
    {"CLONE_NEWNS", "unshare", {CLONE_NEWNS}, EPERM, EPERM},
    {"CLONE_NEWUSER among harmless ones", "unshare", {CLONE_NEWUSER | CLONE_FS}, EPERM, EPERM},
    {"CLONE_NEWPID", "unshare", {CLONE_NEWPID}, EPERM, EPERM},
    {"CLONE_NEWNET", "unshare", {CLONE_NEWNET}, EPERM, EPERM},
    {"CLONE_NEWIPC", "unshare", {CLONE_NEWIPC}, EPERM, EPERM},
    {"CLONE_NEWUTS", "unshare", {CLONE_NEWUTS}, EPERM, EPERM},
    {"CLONE_NEWCGROUP", "unshare", {CLONE_NEWCGROUP}, EPERM, EPERM},
    {"CLONE_NEWTIME", "unshare", {0x80}, EPERM, EPERM},
    {"a flag of a later kernel", "unshare", {0x100000}, EPERM, EPERM},
    {"any", "setns", {3, 0}, EPERM, EPERM},

    {"any", "mount", {}, EPERM, EPERM},
    {"any", "umount2", {}, EPERM, EPERM},
    {"any", "chroot", {}, EPERM, EPERM},
    {"any", "pivot_root", {}, EPERM, EPERM},
    {"any", "open_tree", {}, EPERM, EPERM},
    {"any", "open_tree_attr", {}, EPERM, EPERM},
    {"any", "move_mount", {}, EPERM, EPERM},
    {"any", "mount_setattr", {}, EPERM, EPERM},
    {"any", "statmount", {}, ENOSYS, ENOSYS},

    {"any", "bpf", {}, EPERM, EPERM},
    {"any", "perf_event_open", {}, EPERM, EPERM},
    {"any", "userfaultfd", {}, EPERM, EPERM},
    {"any", "io_uring_setup", {}, ENOSYS, ENOSYS},
    {"any", "keyctl", {}, ENOSYS, ENOSYS},
    {"any", "kexec_load", {}, EPERM, EPERM},
    {"any", "finit_module", {}, EPERM, EPERM},
    {"any", "reboot", {}, EPERM, EPERM},
    {"any", "clock_settime", {}, EPERM, EPERM},
    {"any", "open_by_handle_at", {}, EPERM, EPERM},
    {"any", "fanotify_init", {}, EPERM, EPERM},
    {"any", "sethostname", {}, EPERM, EPERM},
    {"any", "modify_ldt", {}, ENOSYS, ENOSYS},
    {"any", "iopl", {}, EPERM, EPERM},
    {"a name without a call", "vserver", {}, ENOSYS, ENOSYS},

    {"an everyday request", "ioctl", {0, 0x5401}, kAllowed, kAllowed},
    {"TIOCSTI", "ioctl", {0, 0x5412}, EPERM, EPERM},
    {"TIOCLINUX", "ioctl", {0, 0x541c}, EPERM, EPERM},
    {"next to TIOCSTI", "ioctl", {0, 0x5413}, kAllowed, kAllowed},
    {"TIOCSTI as the descriptor", "ioctl", {0x5412, 0x5401}, kAllowed, kAllowed},

    {"PR_SET_NAME", "prctl", {15}, kAllowed, kAllowed},
    {"PR_SET_SECCOMP", "prctl", {22}, kAllowed, kAllowed},
    {"PR_SET_MM", "prctl", {35}, EPERM, EPERM},
    {"PR_SCHED_CORE", "prctl", {62}, EPERM, EPERM},
    {"PR_SET_MM as an argument", "prctl", {15, 35}, kAllowed, kAllowed},

    {"PER_LINUX", "personality", {0}, kAllowed, EPERM},
    {"PER_LINUX32", "personality", {8}, kAllowed, EPERM},
    {"ADDR_NO_RANDOMIZE", "personality", {0x40000}, kAllowed, EPERM},
    {"the question", "personality", {0xffffffff}, kAllowed, EPERM},
    {"READ_IMPLIES_EXEC", "personality", {0x400000}, EPERM, EPERM},
    {"ADDR_NO_RANDOMIZE with READ_IMPLIES_EXEC", "personality", {0x440000}, EPERM, EPERM},

    {"AF_UNIX", "socket", {1, kStream, 0}, kAllowed, kAllowed},
    {"AF_UNIX of any type", "socket", {1, 5 | kCloseOnExec, 0}, kAllowed, kAllowed},
    {"TCP", "socket", {2, kStream | kCloseOnExec, 0}, kAllowed, kAllowed},
    {"TCP by name", "socket", {2, kStream, 6}, kAllowed, kAllowed},
    {"UDP", "socket", {10, kDatagram, 0}, kAllowed, kAllowed},
    {"UDP by name", "socket", {10, kDatagram, 17}, kAllowed, kAllowed},
    {"TCP over IPv6", "socket", {10, kStream, 6}, kAllowed, kAllowed},
    {"ping", "socket", {2, kDatagram, 1}, kAllowed, EAFNOSUPPORT},
    {"SCTP", "socket", {2, kStream, 132}, kAllowed, EAFNOSUPPORT},
    {"MPTCP", "socket", {10, kStream, 262}, kAllowed, EAFNOSUPPORT},
    {"raw", "socket", {2, kRaw, 1}, kAllowed, EAFNOSUPPORT},
    {"raw over IPv6", "socket", {10, kRaw, 58}, kAllowed, EAFNOSUPPORT},
    {"NETLINK_ROUTE", "socket", {16, kRaw, 0}, kAllowed, EAFNOSUPPORT},
    {"NETLINK_NETFILTER", "socket", {16, kRaw, 12}, EAFNOSUPPORT, EAFNOSUPPORT},
    {"NETLINK_SOCK_DIAG", "socket", {16, kRaw, 4}, EAFNOSUPPORT, EAFNOSUPPORT},
    {"AF_UNSPEC", "socket", {0, kStream, 0}, EAFNOSUPPORT, EAFNOSUPPORT},
    {"AF_PACKET", "socket", {17, kRaw, 0}, EAFNOSUPPORT, EAFNOSUPPORT},
    {"AF_ALG", "socket", {38, 5, 0}, EAFNOSUPPORT, EAFNOSUPPORT},
    {"AF_VSOCK", "socket", {40, kStream, 0}, EAFNOSUPPORT, EAFNOSUPPORT},
    {"AF_UNIX", "socketpair", {1, kStream, 0}, kAllowed, kAllowed},
    {"AF_INET", "socketpair", {2, kStream, 0}, EAFNOSUPPORT, EAFNOSUPPORT},
    {"AF_TIPC", "socketpair", {30, kStream, 0}, EAFNOSUPPORT, EAFNOSUPPORT},

    {"an everyday mode", "chmod", {0, 0755}, kAllowed, kAllowed},
    {"sticky", "chmod", {0, 01777}, kAllowed, kAllowed},
    {"set-user-id", "chmod", {0, kSetUserId | 0755}, EPERM, EPERM},
    {"set-group-id", "chmod", {0, kSetGroupId | 0755}, kAllowed, EPERM},
    {"set-user-id", "fchmod", {0, kSetUserId | 0755}, EPERM, EPERM},
    {"set-group-id", "fchmod", {0, kSetGroupId | 0755}, kAllowed, EPERM},
    {"an everyday mode", "fchmodat", {0, 0, 0644}, kAllowed, kAllowed},
    {"set-user-id", "fchmodat", {0, 0, kSetUserId}, EPERM, EPERM},
    {"set-group-id", "fchmodat", {0, 0, kSetGroupId}, kAllowed, EPERM},
    {"set-user-id", "fchmodat2", {0, 0, kSetUserId | kSetGroupId}, EPERM, EPERM},
    {"set-group-id", "fchmodat2", {0, 0, kSetGroupId}, kAllowed, EPERM},
    {"an everyday mode", "creat", {0, 0644}, kAllowed, kAllowed},
    {"set-user-id", "creat", {0, kSetUserId | 0755}, EPERM, EPERM},
    {"set-group-id", "creat", {0, kSetGroupId | 0755}, kAllowed, EPERM},
    {"an everyday mode", "open", {0, kCreate, 0644}, kAllowed, kAllowed},
    {"set-user-id", "open", {0, kCreate | 1, kSetUserId | 0755}, EPERM, EPERM},
    {"set-user-id, to be linked later", "open", {0, kTemporary | 2, kSetUserId}, EPERM, EPERM},
    {"anything for a mode that is not read", "open", {0, 0, 0xffff}, kAllowed, kAllowed},
    {"set-group-id", "open", {0, kCreate, kSetGroupId}, kAllowed, EPERM},
    {"set-group-id, to be linked later", "open", {0, kTemporary, kSetGroupId}, kAllowed, EPERM},
    {"an everyday mode", "openat", {0, 0, kCreate, 0644}, kAllowed, kAllowed},
    {"set-user-id", "openat", {0, 0, kCreate | 2, kSetUserId | 0755}, EPERM, EPERM},
    {"set-user-id, to be linked later", "openat", {0, 0, kTemporary | 2, kSetUserId}, EPERM, EPERM},
    {"anything for a mode that is not read", "openat", {0, 0, 0, 0xffff}, kAllowed, kAllowed},
    {"set-group-id", "openat", {0, 0, kCreate, kSetGroupId}, kAllowed, EPERM},
    {"set-group-id, to be linked later", "openat", {0, 0, kTemporary, kSetGroupId}, kAllowed, EPERM},
    {"a mode out of sight", "openat2", {0, 0, 0x1000, 24}, ENOSYS, ENOSYS},
    {"mkdir drops the bit by itself", "mkdir", {0, kSetUserId | 0755}, kAllowed, kAllowed},
    {"a fifo", "mknod", {0, 0010644}, kAllowed, kAllowed},
    {"a plain file", "mknodat", {0, 0, 0100644}, kAllowed, kAllowed},
    {"a set-user-id file", "mknodat", {0, 0, 0104755}, EPERM, EPERM},
    {"a set-user-id file", "mknod", {0, 0104755}, EPERM, EPERM},
    {"a set-group-id file", "mknod", {0, 0102755}, kAllowed, EPERM},
    {"a character device", "mknod", {0, 0020666, 0x103}, EPERM, EPERM},
    {"a block device", "mknod", {0, 0060666, 0x800}, EPERM, EPERM},
    {"a character device", "mknodat", {0, 0, 0020666, 0x103}, EPERM, EPERM},
    {"a block device", "mknodat", {0, 0, 0060666, 0x800}, EPERM, EPERM},
    {"a socket", "mknodat", {0, 0, 0140644}, kAllowed, kAllowed},

    {"of itself", "setpriority", {0, 0, 10}, kAllowed, kAllowed},
    {"of another process", "setpriority", {0, 7, 10}, kAllowed, kAllowed},
    {"of the keeper", "setpriority", {0, 1, 10}, EPERM, EPERM},
    {"of a group", "setpriority", {1, 0, 10}, EPERM, EPERM},
    {"of the user", "setpriority", {2, 0, 10}, EPERM, EPERM},
    {"of itself", "ioprio_set", {1, 0, 0}, kAllowed, kAllowed},
    {"of another process", "ioprio_set", {1, 7, 0}, kAllowed, kAllowed},
    {"of the keeper", "ioprio_set", {1, 1, 0}, EPERM, EPERM},
    {"of a group", "ioprio_set", {2, 0, 0}, EPERM, EPERM},
    {"of the user", "ioprio_set", {3, 0, 0}, EPERM, EPERM},

    {"any", "ptrace", {16, 5}, kAllowed, EPERM},
    {"any", "process_vm_readv", {}, kAllowed, EPERM},
    {"any", "process_vm_writev", {}, kAllowed, EPERM},
    {"any", "pidfd_getfd", {}, kAllowed, EPERM},
    {"any", "kcmp", {}, kAllowed, EPERM},
    {"a filter", "seccomp", {1, 0}, kAllowed, kAllowed},
    {"a filter for all threads", "seccomp", {1, 1}, kAllowed, kAllowed},
    {"a filter with a listener", "seccomp", {1, 8}, kAllowed, EINVAL},
    {"a filter with a listener among others", "seccomp", {1, 8 | 1 | 16}, kAllowed, EINVAL},
    {"any", "mbind", {}, kAllowed, ENOSYS},
    {"any", "get_mempolicy", {}, kAllowed, ENOSYS},
    {"of others", "move_pages", {}, EPERM, ENOSYS},
    {"any", "shmget", {}, kAllowed, ENOSYS},
    {"any", "semop", {}, kAllowed, ENOSYS},
    {"any", "mq_open", {}, kAllowed, ENOSYS},
};

std::uint32_t expected(int verdict) {
  if (verdict == kAllowed) return SECCOMP_RET_ALLOW;
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(verdict);
}

class Verdict : public testing::TestWithParam<Architecture> {
 protected:
  const std::vector<sock_filter> default_ = filter_of({"default"}, GetParam());
  const std::vector<sock_filter> strict_ = filter_of({"default", "strict"}, GetParam());
};

TEST_P(Verdict, IsThatOfTheTable) {
  std::size_t asked = 0;
  for (const Row& row : kRows) {
    const auto number = seccomp::syscall_number(row.name, GetParam());
    if (!number) continue;
    const seccomp_data call = make_call(*number, GetParam(), row.arguments);
    EXPECT_EQ(evaluate(default_, call), expected(row.in_default)) << row;
    EXPECT_EQ(evaluate(strict_, call), expected(row.in_strict)) << row;
    ++asked;
  }
  // aarch64 was born without the calls that have an ...at form.
  EXPECT_GE(asked, GetParam() == Architecture::x86_64 ? std::size(kRows) : std::size(kRows) * 3 / 4);
}

TEST_P(Verdict, DoesNotDependOnTheUpperHalvesOfArguments) {
  for (const Row& row : kRows) {
    const auto number = seccomp::syscall_number(row.name, GetParam());
    if (!number) continue;
    seccomp_data call = make_call(*number, GetParam(), row.arguments);
    for (auto& argument : call.args) argument |= 0xdeadbeef'00000000;
    EXPECT_EQ(evaluate(default_, call), expected(row.in_default)) << row;
    EXPECT_EQ(evaluate(strict_, call), expected(row.in_strict)) << row;
  }
}

TEST_P(Verdict, OfACallThatIsNewerThanTheProfileIsThatOfAnOlderKernel) {
  for (const std::uint32_t number : {470U, 500U, 0x3fffffffU, 0xffffffffU}) {
    EXPECT_EQ(evaluate(default_, make_call(number, GetParam())), expected(ENOSYS)) << number;
    EXPECT_EQ(evaluate(strict_, make_call(number, GetParam())), expected(ENOSYS)) << number;
  }
}

TEST_P(Verdict, OfAnotherArchitectureEndsTheProcess) {
  const auto number = *seccomp::syscall_number("read", GetParam());
  const std::uint32_t own = seccomp::audit_architecture(GetParam());
  for (const std::uint32_t architecture :
       {std::uint32_t{AUDIT_ARCH_I386}, std::uint32_t{AUDIT_ARCH_X86_64}, std::uint32_t{AUDIT_ARCH_ARM},
        std::uint32_t{AUDIT_ARCH_AARCH64}, 0U}) {
    seccomp_data call = make_call(number, GetParam());
    call.arch = architecture;
    const std::uint32_t answer = architecture == own ? SECCOMP_RET_ALLOW : SECCOMP_RET_KILL_PROCESS;
    EXPECT_EQ(evaluate(default_, call), answer) << architecture;
    EXPECT_EQ(evaluate(strict_, call), answer) << architecture;
  }
}

// x32 has the architecture of x86_64 and a bit of its own in the number; -1 is what a tracer skips a call with.
TEST_P(Verdict, OfX32EndsTheProcess) {
  const bool has_x32 = GetParam() == Architecture::x86_64;
  for (const std::uint32_t number : {0x40000000U, 0x40000000U + 59, 0x40000000U + 512, 0xfffffffeU}) {
    const auto answer = has_x32 ? std::uint32_t{SECCOMP_RET_KILL_PROCESS} : expected(ENOSYS);
    EXPECT_EQ(evaluate(default_, make_call(number, GetParam())), answer) << number;
    EXPECT_EQ(evaluate(strict_, make_call(number, GetParam())), answer) << number;
  }
}

// Nothing that strict.json says can open what default.json shuts.
TEST_P(Verdict, OfTheStricterProfileIsNeverMoreLenient) {
  for (std::uint32_t number = 0; number < 600; ++number) {
    for (std::uint64_t value : {0ULL, 1ULL, 2ULL, 8ULL, 16ULL, 02000ULL, 04100ULL, 0x5412ULL, ~0ULL}) {
      const seccomp_data call = make_call(number, GetParam(), std::vector<std::uint64_t>(6, value));
      if (evaluate(default_, call) != SECCOMP_RET_ALLOW) {
        EXPECT_NE(evaluate(strict_, call), SECCOMP_RET_ALLOW) << number << " with " << value;
      }
    }
  }
}

// Calls that are made all the time must not be asked about each time.
TEST_P(Verdict, OfFrequentCallsIsKnownToTheKernelBeforehand) {
  for (const char* name :
       {"read",          "write",    "close",          "fstat",     "newfstatat", "mmap",
        "munmap",        "mprotect", "futex",          "lseek",     "pread64",    "epoll_pwait",
        "clock_gettime", "getpid",   "rt_sigprocmask", "recvmsg",   "sendmsg",    "execve",
        "wait4",         "statx",    "fcntl",          "readlinkat"}) {
    const auto number = seccomp::syscall_number(name, GetParam());
    ASSERT_TRUE(number) << name;
    EXPECT_TRUE(always_allowed(default_, make_call(*number, GetParam()))) << name;
    EXPECT_TRUE(always_allowed(strict_, make_call(*number, GetParam()))) << name;
  }
  EXPECT_FALSE(
      always_allowed(default_, make_call(*seccomp::syscall_number("ioctl", GetParam()), GetParam())));
}

// Loading costs by the instruction. Raise these on purpose.
TEST_P(Verdict, TakesFewInstructions) {
  EXPECT_LE(default_.size(), 215U);
  EXPECT_LE(strict_.size(), 315U);
}

INSTANTIATE_TEST_SUITE_P(Both, Verdict, testing::ValuesIn(kArchitectures),
                         [](const auto& one) { return architecture_name(one.param); });

struct FenceRow {
  const char* what;
  std::string name;
  std::vector<std::uint64_t> arguments;
  int verdict;  // kAllowed or an errno
};

// Tier b, with and without network.
const FenceRow kFenceRows[] = {
    {"an everyday call", "read", {}, kAllowed},
    {"an everyday call", "execve", {}, kAllowed},
    {"a thread", "clone", {0x3d0f00}, kAllowed},
    {"a fork", "clone", {SIGCHLD | 0x01200000}, kAllowed},
    {"CLONE_NEWUSER", "clone", {CLONE_NEWUSER | SIGCHLD}, EPERM},
    {"CLONE_NEWNS", "clone", {CLONE_NEWNS | SIGCHLD}, EPERM},
    {"CLONE_NEWCGROUP", "clone", {CLONE_NEWCGROUP | SIGCHLD}, EPERM},
    {"CLONE_NEWUTS", "clone", {CLONE_NEWUTS | SIGCHLD}, EPERM},
    {"CLONE_NEWIPC", "clone", {CLONE_NEWIPC | SIGCHLD}, EPERM},
    {"CLONE_NEWPID", "clone", {CLONE_NEWPID | SIGCHLD}, EPERM},
    {"CLONE_NEWNET", "clone", {CLONE_NEWNET | SIGCHLD}, EPERM},
    {"flags out of sight", "clone3", {0x1000, 88}, ENOSYS},
    {"files and directory", "unshare", {CLONE_FILES | CLONE_FS}, kAllowed},
    {"CLONE_NEWUSER", "unshare", {CLONE_NEWUSER}, EPERM},
    {"CLONE_NEWUSER among harmless ones", "unshare", {CLONE_NEWUSER | CLONE_FS}, EPERM},
    {"CLONE_NEWNET", "unshare", {CLONE_NEWNET}, EPERM},
    {"CLONE_NEWTIME", "unshare", {0x80}, EPERM},
    {"a flag of a later kernel", "unshare", {0x100000}, EPERM},
    {"any", "setns", {3, 0}, EPERM},
    {"any", "mount", {}, EPERM},
    {"any", "umount2", {}, EPERM},
    {"any", "chroot", {}, EPERM},
    {"any", "pivot_root", {}, EPERM},
    {"any", "fsopen", {}, EPERM},
    {"any", "fsmount", {}, EPERM},
    {"any", "fsconfig", {}, EPERM},
    {"any", "fspick", {}, EPERM},
    {"any", "move_mount", {}, EPERM},
    {"any", "open_tree", {}, EPERM},
    {"any", "open_tree_attr", {}, EPERM},
    {"any", "mount_setattr", {}, EPERM},
    {"any", "mq_open", {}, ENOSYS},
    {"any", "mq_unlink", {}, ENOSYS},
    {"any", "mq_timedsend", {}, ENOSYS},
    {"any", "mq_timedreceive", {}, ENOSYS},
    {"any", "mq_notify", {}, ENOSYS},
    {"any", "mq_getsetattr", {}, ENOSYS},
    {"any", "shmget", {}, ENOSYS},
};

class FenceVerdict : public testing::TestWithParam<Architecture> {};

TEST_P(FenceVerdict, IsThatOfTheTableWhateverTheUpperHalvesOfArguments) {
  for (const auto& filter :
       {filter_of({"fence"}, GetParam()), filter_of({"fence", "no-network"}, GetParam())}) {
    for (const FenceRow& row : kFenceRows) {
      const auto number = seccomp::syscall_number(row.name, GetParam());
      ASSERT_TRUE(number) << row.name;
      seccomp_data call = make_call(*number, GetParam(), row.arguments);
      EXPECT_EQ(evaluate(filter, call), expected(row.verdict)) << row.name << ": " << row.what;
      for (auto& argument : call.args) argument |= 0xdeadbeef'00000000;
      EXPECT_EQ(evaluate(filter, call), expected(row.verdict)) << row.name << ": " << row.what << ", wide";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Both, FenceVerdict, testing::ValuesIn(kArchitectures),
                         [](const auto& one) { return architecture_name(one.param); });

bool same(std::span<const sock_filter> a, std::span<const sock_filter> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const sock_filter& x, const sock_filter& y) {
    return x.code == y.code && x.jt == y.jt && x.jf == y.jf && x.k == y.k;
  });
}

TEST(BuiltInFilter, IsTheProfileOfThisBuild) {
  const Architecture native = seccomp::kNativeArchitecture;
  EXPECT_TRUE(same(fence_filter(), filter_of({"fence"}, native)));
  EXPECT_TRUE(same(no_network_filter(), filter_of({"fence", "no-network"}, native)));
  EXPECT_TRUE(same(default_filter(), filter_of({"default"}, native)));
  EXPECT_TRUE(same(strict_filter(), filter_of({"default", "strict"}, native)));
  EXPECT_FALSE(same(default_filter(), strict_filter()));
}

TEST(FilterHash, NamesAFilterInSixteenDigits) {
  const std::string hash = filter_hash(default_filter());
  EXPECT_EQ(hash.size(), 16U);
  EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(hash, filter_hash(default_filter()));
  EXPECT_NE(hash, filter_hash(strict_filter()));
  // SHA-256 of {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW} in the kernel's layout.
  const sock_filter allow[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
  EXPECT_EQ(filter_hash(allow), "40b2a31e1a78576b");
}

TEST(FilterHash, OfTheBuildIsWhatItWouldBeNow) {
  Plan plan;
  for (const Tier tier : {Tier::b, Tier::c}) {
    for (const bool refuse_network : {false, true}) {
      for (const std::string profile : {"default", "strict"}) {
        plan.tier = tier;
        plan.refuse_network = refuse_network;
        plan.filter_profile = profile;
        const auto filter = choose_filter(plan);
        ASSERT_TRUE(filter) << filter.error().message;
        EXPECT_EQ(filter.value().hash, filter_hash(filter.value().code())) << filter.value().name;
      }
    }
  }
}

}  // namespace
}  // namespace bawn::test
