// The filters of tier c on a real kernel: the kernel accepts them and enforces them.
//
// A child makes every call below twice, without and with the filter. The arguments make the kernel
// itself fail the call with another errno, so a missing filter shows.

#include "backend/linux/seccomp/filter.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <functional>
#include <vector>

#include "sys/pipe.h"

namespace bawn::linux_ {
namespace {

using Filter = std::span<const sock_filter>;

// Ends the process if the filter cannot be installed: nothing may be tried without it.
void install(Filter filter) {
  if (filter.empty()) return;
  sock_fprog program{static_cast<unsigned short>(filter.size()),
                     const_cast<sock_filter*>(filter.data())};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
    _exit(111);
}

// The wait status of a child that installs the filter and then acts.
int status_of_child(Filter filter, const std::function<void()>& act) {
  const pid_t child = fork();
  if (child == 0) {
    install(filter);
    act();
    _exit(0);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

struct Call {
  const char* what;
  long number;
  std::array<unsigned long, 6> arguments;
  int by_default = 0;  // the filter's errno, 0 if the filter allows the call
  int by_strict = 0;
};

// The errno of each call, 0 for success, made by a child under the filter.
std::vector<int> answers(Filter filter, std::span<const Call> calls) {
  auto pipe = sys::pipe();
  EXPECT_TRUE(pipe.ok());
  const int status = status_of_child(filter, [&] {
    for (const Call& call : calls) {
      const auto& a = call.arguments;
      const long result = syscall(call.number, a[0], a[1], a[2], a[3], a[4], a[5]);
      const int answer = result == -1 ? errno : 0;
      if (write(pipe.value().write.get(), &answer, sizeof answer) != sizeof answer) _exit(112);
    }
  });
  EXPECT_EQ(status, 0);
  std::vector<int> out(calls.size(), -1);
  const auto size = static_cast<ssize_t>(out.size() * sizeof(int));
  EXPECT_EQ(read(pipe.value().read.get(), out.data(), static_cast<std::size_t>(size)), size);
  return out;
}

unsigned long address(const void* pointer) { return reinterpret_cast<unsigned long>(pointer); }
constexpr unsigned long kNoFile = static_cast<unsigned long>(-1);
constexpr unsigned long kHere = static_cast<unsigned long>(AT_FDCWD);
constexpr unsigned long kGarbage = 0xdeadbeef'00000000;

const Call kCalls[] = {
    {"clone with a namespace", SYS_clone, {CLONE_NEWNS | CLONE_FS}, EPERM, EPERM},
    {"clone with a namespace, wide", SYS_clone, {CLONE_NEWNS | CLONE_FS | kGarbage}, EPERM, EPERM},
    {"clone3", SYS_clone3, {0, 0}, ENOSYS, ENOSYS},
    {"unshare with a namespace", SYS_unshare, {CLONE_NEWUSER | 1}, EPERM, EPERM},
    {"setns", SYS_setns, {kNoFile, 0}, EPERM, EPERM},
    {"open_tree", SYS_open_tree, {kNoFile, address(""), 0}, EPERM, EPERM},
    {"name_to_handle_at", SYS_name_to_handle_at, {kNoFile, address("x"), 0, 0, 0}, EPERM, EPERM},
    {"openat2", SYS_openat2, {kNoFile, address(""), 0, 0}, ENOSYS, ENOSYS},
    {"TIOCSTI", SYS_ioctl, {kNoFile, 0x5412}, EPERM, EPERM},
    {"TIOCSTI, wide", SYS_ioctl, {kNoFile, 0x5412 | kGarbage}, EPERM, EPERM},
    {"F_SETLEASE", SYS_fcntl, {kNoFile, 1024}, EINVAL, EINVAL},
    {"F_SETLEASE, wide", SYS_fcntl, {kNoFile, 1024 | kGarbage}, EINVAL, EINVAL},
    {"F_SET_RW_HINT", SYS_fcntl, {kNoFile, 1036}, EINVAL, EINVAL},
    {"F_GETLEASE", SYS_fcntl, {kNoFile, 1025}, 0, 0},
    {"another request", SYS_ioctl, {kNoFile, 0x5401}, 0, 0},
    {"set-user-id by fchmodat", SYS_fchmodat, {kHere, address(""), 04755}, EPERM, EPERM},
    {"set-group-id by fchmodat", SYS_fchmodat, {kHere, address(""), 02755}, 0, EPERM},
    {"another mode by fchmodat", SYS_fchmodat, {kHere, address(""), 0755}, 0, 0},
    {"set-user-id by openat",
     SYS_openat,
     {kHere, address(""), O_CREAT | O_WRONLY, 04755},
     EPERM,
     EPERM},
    {"openat of a file", SYS_openat, {kHere, address("/dev/null"), O_RDONLY, 04755}, 0, 0},
    {"a foreign family", SYS_socket, {40, 15, 0}, EAFNOSUPPORT, EAFNOSUPPORT},
    {"a local socket", SYS_socket, {AF_UNIX, SOCK_STREAM, 0}, 0, 0},
    {"a TCP socket", SYS_socket, {AF_INET, SOCK_STREAM, 0}, 0, 0},
    {"netlink of another protocol",
     SYS_socket,
     {AF_NETLINK, SOCK_RAW, 9999},
     EAFNOSUPPORT,
     EAFNOSUPPORT},
    {"netlink of routes", SYS_socket, {AF_NETLINK, SOCK_RAW, 0}, 0, EAFNOSUPPORT},
    {"a pair of TCP sockets",
     SYS_socketpair,
     {AF_INET, SOCK_STREAM, 0, 0},
     EAFNOSUPPORT,
     EAFNOSUPPORT},
    {"PR_SET_MM", SYS_prctl, {35, 0, 0, 0, 1}, EPERM, EPERM},
    {"the question for a personality", SYS_personality, {0xffffffff}, 0, EPERM},
    {"READ_IMPLIES_EXEC", SYS_personality, {0x400000}, EPERM, EPERM},
    {"keyctl", SYS_keyctl, {9999}, ENOSYS, ENOSYS},
    {"ptrace", SYS_ptrace, {PTRACE_CONT, 0, 0, 0}, 0, EPERM},
    {"shmget", SYS_shmget, {0, 0, 0}, 0, ENOSYS},
    {"a listener",
     SYS_seccomp,
     {SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, 0},
     0,
     EINVAL},
    {"unshare of the directory", SYS_unshare, {CLONE_FS}, 0, 0},
    {"getpid", SYS_getpid, {}, 0, 0},
    {"a number that no kernel has", 5000, {}, 0, 0},
};

class SeccompFilter : public testing::TestWithParam<bool> {
 protected:
  static bool strict() { return GetParam(); }
  static Filter filter() {
    return built_in_filter(strict() ? "strict" : "default").value().built_in;
  }
};

TEST_P(SeccompFilter, RefusesWhatItSaysAndNothingElse) {
  const std::vector<int> without = answers({}, kCalls);
  const std::vector<int> with = answers(filter(), kCalls);
  std::size_t refused = 0;
  std::size_t shown = 0;
  for (std::size_t i = 0; i < std::size(kCalls); ++i) {
    const int by_filter = strict() ? kCalls[i].by_strict : kCalls[i].by_default;
    EXPECT_EQ(with[i], by_filter == 0 ? without[i] : by_filter) << kCalls[i].what;
    if (by_filter == 0) continue;
    ++refused;
    if (without[i] != by_filter) ++shown;
  }
  // A container around the tests may already refuse a few calls with the same errno.
  EXPECT_GE(shown, refused * 2 / 3);
}

TEST_P(SeccompFilter, LetsAShellWork) {
  const int status = status_of_child(filter(), [] {
    execl("/bin/sh", "sh", "-c",
          "set -e; x=$(ls / | wc -l); test $x -gt 3; (exit 3) && exit 1; test $? -eq 3",
          static_cast<char*>(nullptr));
    _exit(113);
  });
  EXPECT_EQ(status, 0);
}

TEST_P(SeccompFilter, EndsAProcessThatCallsAsAnotherArchitecture) {
#if defined(__x86_64__)
  const int x32 = status_of_child(filter(), [] { syscall(0x40000000 | SYS_getpid); });
  EXPECT_TRUE(WIFSIGNALED(x32) && WTERMSIG(x32) == SIGSYS) << x32;
  const int i386 = status_of_child(filter(), [] {
    long number = 20;  // getpid on i386
    asm volatile("int $0x80" : "+a"(number)::"memory", "r8", "r9", "r10", "r11");
  });
  // A kernel without i386 entry ends the process with another signal.
  EXPECT_TRUE(WIFSIGNALED(i386) && (WTERMSIG(i386) == SIGSYS || WTERMSIG(i386) == SIGSEGV)) << i386;
#endif
  EXPECT_EQ(status_of_child(filter(), [] { syscall(SYS_getpid); }), 0);
}

INSTANTIATE_TEST_SUITE_P(Both, SeccompFilter, testing::Values(false, true),
                         [](const auto& one) { return one.param ? "strict" : "default"; });

}  // namespace
}  // namespace bawn::linux_
