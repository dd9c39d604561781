// Kernels that lack a system call, simulated by a filter that answers ENOSYS: a run has the whole
// sandbox, or does not start.

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <iterator>

#include "../../refuse_call.h"
#include "observer.h"
#include "policy/executables_policy.h"
#include "policy/policy.h"

namespace bawn {
namespace {

struct Lack {
  const char* name;
  std::vector<unsigned> calls;
};

void PrintTo(const Lack& lack, std::ostream* out) { *out << lack.name; }

bool forget(const std::vector<unsigned>& calls) {
  std::vector<sock_filter> filter = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr))};
  for (const unsigned call : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog program = {static_cast<unsigned short>(filter.size()), filter.data()};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0;
}

enum Answer { worked, refused, neither, no_filter };

class OldKernel : public testing::TestWithParam<Lack> {};

TEST_P(OldKernel, GivesTheWholeSandboxOrNone) {
  const Observer observer;
  const int status = in_another_process([&]() -> int {
    if (!forget(GetParam().calls)) return no_filter;
    const Outcome outcome = observer.run();
    if (outcome.success()) return worked;
    return is_refusal(outcome) ? refused : neither;
  });
  ASSERT_TRUE(WIFEXITED(status));
  const auto found = observer.found();
  if (WEXITSTATUS(status) == worked) {
    EXPECT_EQ(found, "sound");
  } else {
    EXPECT_EQ(WEXITSTATUS(status), refused);
    EXPECT_EQ(found, std::nullopt);
  }
}

// Whether the command is cloned into its cgroup or moves there, it is the first process of its pid
// namespace.
TEST(KernelWithoutClone3, HasAFirstProcessToo) {
  const Observer observer;
  const int status = in_another_process([&] {
    return forget({SYS_clone3}) && observer.run(Observer::First::command).success() ? 0 : 1;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(observer.found(), "sound");
}

TEST(NewKernel, GivesTheWholeSandbox) {
  const Observer observer;
  const Outcome outcome = observer.run();
  EXPECT_TRUE(outcome.success()) << outcome_json(outcome);
  EXPECT_EQ(observer.found(), "sound");
}

// What the receipt says about the command's process.
testing::AssertionResult was_made_by(const Outcome& outcome, const char* call) {
  return layer_has(outcome, "process_tree", {"made_by", call});
}

// ENOSYS is docker's answer, EPERM that of other filters around bawn.
TEST(HostThatRefusesClone3, GetsTheWholeSandboxByClone) {
  for (const int error : {ENOSYS, EPERM}) {
    const Observer observer;
    const int status = in_another_process([&] {
      if (!refuse_call({SYS_clone3, 0, RefusedCall::Test::is_at_least, 0,
                        static_cast<std::uint32_t>(error)}))
        return 1;
      const Outcome outcome = observer.run();
      if (!outcome.success()) return 2;
      return was_made_by(outcome, "clone") ? 0 : 3;
    });
    EXPECT_EQ(WEXITSTATUS(status), 0) << error;
    EXPECT_EQ(observer.found(), "sound") << error;
  }
  const Observer observer;
  EXPECT_TRUE(was_made_by(observer.run(), "clone3")) << "where it is not refused";
}

constexpr unsigned kLandlock[] = {SYS_landlock_create_ruleset, SYS_landlock_add_rule,
                                  SYS_landlock_restrict_self};

// Init is not in the Landlock domain of the command, so Landlock alone would protect it. Where
// fs.suid_dumpable is 1, as in tests/qemu, a process that becomes another user stays open to that
// user's processes.
TEST(KernelWithoutLandlock, DoesNotOpenInitToTheUserItBecame) {
  if (getuid() != 0) GTEST_SKIP() << "only root can run a command as another user";
  const RunFixture fixture;
  chmod(std::filesystem::path(fixture.workspace()).parent_path().c_str(), 0755);
  const std::string program = fixture.outside() + "/guest";
  std::filesystem::copy_file(guest(), program);
  FixturePolicy policy = fixture_policy();
  policy.executables.allow = {program};
  policy.identity.uid = policy.identity.gid = 12345;
  const auto reads = [&](const std::string& file) {
    return said(bawn::run(
        policy, {.command = program, .args = {"from-stdin"}, .stdin_text = "read\n" + file + "\n"},
        {.workspace = fixture.workspace()}));
  };
  const int status = in_another_process([&] {
    if (!forget({std::begin(kLandlock), std::end(kLandlock)})) return 1;
    if (reads("/proc/self/environ") != "ok") return 2;
    return reads("/proc/1/environ") == "EACCES" ? 0 : 3;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// A mount that failed because the call is missing was once reported as a missing file: the hint was
// to check that it exists, and a policy that accepts tier b did not get it.
TEST(KernelWithoutOpenat2, IsReportedAndFallsBackToTierBIfThePolicyAcceptsIt) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  const int status = in_another_process([&] {
    if (!forget({SYS_openat2})) return 1;
    const Outcome outcome = fixture.run(policy, {"exit", "0"});
    if (!is_refusal(outcome) ||
        outcome.error->hint.find("'bawn doctor' tells which") == std::string::npos)
      return 2;
    policy.tier = {TierChoice::automatic, Tier::b};
    const Outcome weaker = fixture.run(policy, {"exit", "0"});
    return weaker.success() && weaker.tier == Tier::b ? 0 : 3;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
  policy.tier = {TierChoice::automatic, Tier::b};
  EXPECT_EQ(fixture.run(policy, {"exit", "0"}).tier, Tier::c);
}

INSTANTIATE_TEST_SUITE_P(
    Without, OldKernel,
    testing::Values(Lack{"openat2", {SYS_openat2}}, Lack{"clone3", {SYS_clone3}},
                    Lack{"mount_setattr", {SYS_mount_setattr}},
                    Lack{"close_range", {SYS_close_range}},
                    Lack{"landlock", {std::begin(kLandlock), std::end(kLandlock)}},
                    Lack{"landlock_rules", {SYS_landlock_add_rule}}, Lack{"statmount", {457, 458}},
                    Lack{"open_tree", {SYS_open_tree}}, Lack{"move_mount", {SYS_move_mount}},
                    Lack{"mount_api", {SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick}},
                    Lack{"pidfd_open", {SYS_pidfd_open}}, Lack{"execveat", {SYS_execveat}},
                    Lack{"memfd_create", {SYS_memfd_create}}, Lack{"seccomp", {SYS_seccomp}},
                    Lack{"keyctl", {SYS_keyctl}}, Lack{"statx", {SYS_statx}},
                    Lack{"faccessat2", {SYS_faccessat2}},
                    Lack{"pidfd_send_signal", {SYS_pidfd_send_signal}}),
    [](const auto& lack) { return std::string(lack.param.name); });

}  // namespace
}  // namespace bawn
