// Every system call of a launch fails in turn. The command must never run with less protection than
// planned, and the outcome must say that it did not run. A seccomp filter in a child process makes
// the call fail in bawn, in init and in the command's process.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>

#include "../refuse_call.h"
#include "fixture.h"
#include "policy/executables_policy.h"

namespace bawn {
namespace {

struct Fault {
  const char* name;
  unsigned number;
  // Only calls with this first argument fail; -1 means all.
  int first_argument = -1;
};

// The call fails with EIO, which no fallback may take for "not supported here".
bool inject(const Fault& fault) {
  // clone is called only where clone3 is refused.
  if (fault.number == SYS_clone &&
      !refuse_call({SYS_clone3, 0, RefusedCall::Test::is_at_least, 0, ENOSYS}))
    return false;
  const auto other_arguments =
      static_cast<unsigned char>(fault.first_argument == -1 ? 0 : 1);  // 1 skips the failure
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, fault.number, 0, 3),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<unsigned>(fault.first_argument), 0,
               other_arguments),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EIO),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

enum class Seen {
  ran_and_succeeded = 0,
  refused,
  ran_and_did_not_succeed,
  no_filter,
  left_a_child
};

template <class Run>
Seen run_with(const Fault* fault, const Run& run) {
  const pid_t child = fork();
  if (child == 0) {
    if (fault != nullptr && !inject(*fault)) _exit(static_cast<int>(Seen::no_filter));
    const Outcome outcome = run();
    if (waitpid(-1, nullptr, 0) != -1 || errno != ECHILD)
      _exit(static_cast<int>(Seen::left_a_child));
    if (outcome.success()) _exit(static_cast<int>(Seen::ran_and_succeeded));
    const bool refused = outcome.status == Status::failed || outcome.status == Status::denied;
    _exit(
        static_cast<int>(refused && outcome.error ? Seen::refused : Seen::ran_and_did_not_succeed));
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status)) << "bawn itself died of it";
  return static_cast<Seen>(WEXITSTATUS(status));
}

class LaunchFault : public testing::TestWithParam<Fault> {};

TEST_P(LaunchFault, MeansThatNothingRan) {
  const RunFixture fixture;
  const std::string observer = fixture.workspace() + "/observer";
  const auto run = [&] { return fixture.run({"create", observer}); };
  EXPECT_EQ(run_with(&GetParam(), run), Seen::refused);
  EXPECT_FALSE(std::filesystem::exists(observer));
  EXPECT_EQ(run_with(nullptr, run), Seen::ran_and_succeeded);
  EXPECT_TRUE(std::filesystem::exists(observer));
}

// Init was already waiting for its ExecMessage.
TEST(DeniedRun, LeavesNoInit) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  const auto run = [&] { return fixture.run(policy, {"exit", "0"}); };
  EXPECT_EQ(run_with(nullptr, run), Seen::ran_and_succeeded);
  policy.executables.allow_all = false;
  policy.executables.allow.clear();
  EXPECT_EQ(run_with(nullptr, run), Seen::refused);
}

// bawn must notice before the command runs that it cannot watch the file.
TEST(CancelFile, ThatCannotBeWatchedMeansThatNothingRan) {
  const RunFixture fixture;
  const std::string observer = fixture.workspace() + "/observer";
  const auto run_with_cancel = [&](int cancel_fd) {
    return bawn::run(fixture_policy(), {.command = guest(), .args = {"create", observer}},
                     {.workspace = fixture.workspace()}, cancel_fd);
  };
  const int plain_file =
      open(fixture.file(fixture.outside(), "plain").c_str(), O_RDONLY | O_CLOEXEC);
  const Outcome refused = run_with_cancel(plain_file);
  close(plain_file);
  EXPECT_EQ(refused.status, Status::failed);
  EXPECT_THAT(refused.error->message, testing::HasSubstr("cancel_fd"));
  EXPECT_FALSE(std::filesystem::exists(observer));
  EXPECT_TRUE(run_with_cancel(-1).success());
  EXPECT_TRUE(std::filesystem::exists(observer));
}

INSTANTIATE_TEST_SUITE_P(
    Call, LaunchFault,
    testing::Values(Fault{"memfd_create", SYS_memfd_create}, Fault{"socketpair", SYS_socketpair},
                    Fault{"clone", SYS_clone}, Fault{"clone3", SYS_clone3},
                    Fault{"close_range", SYS_close_range}, Fault{"sendmsg", SYS_sendmsg},
                    Fault{"recvmsg", SYS_recvmsg}, Fault{"setsid", SYS_setsid},
                    Fault{"pidfd_open", SYS_pidfd_open}, Fault{"signalfd4", SYS_signalfd4},
                    Fault{"rt_sigaction", SYS_rt_sigaction}, Fault{"mkdirat", SYS_mkdirat},
                    Fault{"umask", SYS_umask}, Fault{"personality", SYS_personality},
                    Fault{"keyctl", SYS_keyctl}, Fault{"dup3", SYS_dup3},
                    Fault{"fchdir", SYS_fchdir}, Fault{"prlimit64", SYS_prlimit64},
                    Fault{"capset", SYS_capset}, Fault{"capget", SYS_capget},
                    Fault{"sched_getscheduler", SYS_sched_getscheduler},
                    Fault{"getpriority", SYS_getpriority}, Fault{"ioprio_get", SYS_ioprio_get},
                    Fault{"landlock_create_ruleset", SYS_landlock_create_ruleset},
                    Fault{"landlock_add_rule", SYS_landlock_add_rule},
                    Fault{"landlock_restrict_self", SYS_landlock_restrict_self},
                    Fault{"seccomp", SYS_seccomp}, Fault{"execveat", SYS_execveat},
                    Fault{"epoll_create1", SYS_epoll_create1},
                    Fault{"timerfd_create", SYS_timerfd_create},
                    Fault{"set_no_new_privs", SYS_prctl, PR_SET_NO_NEW_PRIVS},
                    Fault{"get_no_new_privs", SYS_prctl, PR_GET_NO_NEW_PRIVS},
                    Fault{"get_seccomp", SYS_prctl, PR_GET_SECCOMP},
                    Fault{"set_dumpable", SYS_prctl, PR_SET_DUMPABLE},
                    Fault{"get_dumpable", SYS_prctl, PR_GET_DUMPABLE},
                    Fault{"set_pdeathsig", SYS_prctl, PR_SET_PDEATHSIG},
                    Fault{"ambient", SYS_prctl, PR_CAP_AMBIENT}),
    [](const auto& fault) { return std::string(fault.param.name); });

// Calls that only one of the tiers makes.
const auto kCallsOfTheTier =
    fixture_tier() == Tier::b
        ? std::vector<Fault>{{"set_subreaper", SYS_prctl, PR_SET_CHILD_SUBREAPER},
                             {"get_subreaper", SYS_prctl, PR_GET_CHILD_SUBREAPER}}
        : std::vector<Fault>{{"openat2", SYS_openat2},
                             {"fsopen", SYS_fsopen},
                             {"fsconfig", SYS_fsconfig},
                             {"fsmount", SYS_fsmount},
                             {"open_tree", SYS_open_tree},
                             {"mount_setattr", SYS_mount_setattr},
                             {"move_mount", SYS_move_mount},
                             {"fstatfs", SYS_fstatfs},
                             {"statx", SYS_statx},
                             {"symlinkat", SYS_symlinkat},
                             {"pivot_root", SYS_pivot_root},
                             {"umount2", SYS_umount2},
                             {"chdir", SYS_chdir},
                             {"sethostname", SYS_sethostname},
                             {"setdomainname", SYS_setdomainname},
                             {"ioctl", SYS_ioctl},
                             {"mknodat", SYS_mknodat},
                             {"unshare", SYS_unshare},
                             {"setns", SYS_setns},
                             {"bounding_set", SYS_prctl, PR_CAPBSET_DROP},
                             {"securebits", SYS_prctl, PR_SET_SECUREBITS},
                             {"get_securebits", SYS_prctl, PR_GET_SECUREBITS}};
INSTANTIATE_TEST_SUITE_P(CallOfTier, LaunchFault, testing::ValuesIn(kCallsOfTheTier),
                         [](const auto& fault) { return std::string(fault.param.name); });

}  // namespace
}  // namespace bawn
