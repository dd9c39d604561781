// `bawn doctor` and a run must agree about a host. A filter refuses one of the calls that a launch
// makes; doctor must not say that tier c works where no run does.

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>

#include "../../refuse_call.h"
#include "../fixture.h"
#include "doctor/diagnosis.h"
#include "doctor/doctor.h"

namespace bawn {
namespace {

struct LaunchCall {
  const char* name;
  std::uint32_t number;
};

constexpr LaunchCall kLaunchCalls[] = {
    {"capget", SYS_capget},
    {"capset", SYS_capset},
    {"clone", SYS_clone},
    {"clone3", SYS_clone3},
    {"close_range", SYS_close_range},
    {"execveat", SYS_execveat},
    {"fsconfig", SYS_fsconfig},
    {"fsmount", SYS_fsmount},
    {"fsopen", SYS_fsopen},
    {"fstatfs", SYS_fstatfs},
    {"getgroups", SYS_getgroups},
    {"getpriority", SYS_getpriority},
    {"ioprio_get", SYS_ioprio_get},
    {"keyctl", SYS_keyctl},
    {"landlock_add_rule", SYS_landlock_add_rule},
    {"landlock_create_ruleset", SYS_landlock_create_ruleset},
    {"landlock_restrict_self", SYS_landlock_restrict_self},
    {"memfd_create", SYS_memfd_create},
    {"mount_setattr", SYS_mount_setattr},
    {"move_mount", SYS_move_mount},
    {"open_tree", SYS_open_tree},
    {"openat2", SYS_openat2},
    {"personality", SYS_personality},
    {"pidfd_open", SYS_pidfd_open},
    {"pidfd_send_signal", SYS_pidfd_send_signal},
    {"pivot_root", SYS_pivot_root},
    {"prlimit64", SYS_prlimit64},
    {"sched_getscheduler", SYS_sched_getscheduler},
    {"sched_setaffinity", SYS_sched_setaffinity},
    {"seccomp", SYS_seccomp},
    {"setdomainname", SYS_setdomainname},
    {"sethostname", SYS_sethostname},
    {"setns", SYS_setns},
    {"setsid", SYS_setsid},
    {"signalfd4", SYS_signalfd4},
    {"statx", SYS_statx},
    {"umount2", SYS_umount2},
    {"unshare", SYS_unshare},
};

void PrintTo(const LaunchCall& call, std::ostream* out) { *out << call.name; }

class DoctorAgrees : public testing::TestWithParam<LaunchCall> {};

enum Answer { both_work, neither_works, only_run_works, only_doctor_is_content, not_refused };

Answer ask_both(const RunFixture& fixture, const LaunchCall& call, int error) {
  const int status = in_another_process([&]() -> int {
    const RefusedCall refused{call.number, 0, RefusedCall::Test::is_at_least, 0,
                              static_cast<std::uint32_t>(error)};
    if (!refuse_call(refused)) return not_refused;
    const bool ran = fixture.run({"exit", "0"}).success();
    const bool content = diagnose(examine_host()).tier_c.works;
    if (ran) return content ? both_work : only_run_works;
    return content ? only_doctor_is_content : neither_works;
  });
  return WIFEXITED(status) ? static_cast<Answer>(WEXITSTATUS(status)) : not_refused;
}

TEST_P(DoctorAgrees, ThatNothingRunsWhereALaunchIsRefusedACall) {
  const RunFixture fixture;
  for (const int error : {EPERM, ENOSYS}) {
    const Answer answer = ask_both(fixture, GetParam(), error);
    EXPECT_NE(answer, only_doctor_is_content) << GetParam().name << ": " << errno_text(error);
    EXPECT_NE(answer, not_refused) << GetParam().name;
  }
}

TEST(Doctor, AgreesThatTierCWorksWhereNothingIsRefused) {
  const RunFixture fixture;
  EXPECT_TRUE(fixture.run({"exit", "0"}).success());
  EXPECT_TRUE(diagnose(examine_host()).tier_c.works);
}

INSTANTIATE_TEST_SUITE_P(Without, DoctorAgrees, testing::ValuesIn(kLaunchCalls),
                         [](const auto& call) { return std::string(call.param.name); });

}  // namespace
}  // namespace bawn
