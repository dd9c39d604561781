// The host is short of something while a sandbox is made. The run fails, and never gets a weaker
// sandbox instead. The control is a host that refuses for good: there a policy that accepts less
// gets less.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>

#include "../../become_root_of.h"
#include "../../refuse_call.h"
#include "../fixture.h"
#include "base/text.h"
#include "policy/limit.h"
#include "sys/control_file.h"
#include "sys/pipe.h"

namespace bawn {
namespace {

constexpr std::uint64_t kMiB = 1 << 20;

FixturePolicy accepting_tier_b() {
  FixturePolicy policy = fixture_policy();
  policy.tier = {TierChoice::automatic, Tier::b};
  policy.limits.optional = {"memory_bytes", "processes", "cpu_percent", "tmp_bytes"};
  return policy;
}

// How a run went, as the exit code of the process that called bawn.
enum Answer { in_tier_c, in_tier_b, with_rlimits, failed, without_words, otherwise, not_prepared };

// Root can have a cgroup wherever these tests run. So a memory limit falls back to an rlimit only
// if a cgroup was refused.
Answer answer_of(const Outcome& outcome, bool root) {
  if (outcome.success() && root && layer_state(outcome, "limit.memory") == LayerState::partial)
    return with_rlimits;
  if (outcome.success()) return outcome.tier == Tier::c ? in_tier_c : in_tier_b;
  if (outcome.status != Status::failed || exit_code_of(outcome) != 125) return otherwise;
  const bool told = outcome.error && !outcome.error->step.empty() && !outcome.error->hint.empty();
  return told ? failed : without_words;
}

// A run that would leave a trace, in a process that `prepare` has made short of something.
struct Shortened {
  const RunFixture& fixture;
  std::function<bool()> prepare;
  FixturePolicy policy = accepting_tier_b();

  [[nodiscard]] Answer run() const {
    std::filesystem::remove(trace());
    const bool root = getuid() == 0;  // before `prepare` changes it
    const int status = in_another_process([&]() -> int {
      if (!prepare()) return not_prepared;
      return answer_of(fixture.run(policy, {"create", trace()}), root);
    });
    const auto answer = WIFEXITED(status) ? static_cast<Answer>(WEXITSTATUS(status)) : otherwise;
    EXPECT_EQ(std::filesystem::exists(trace()), answer <= with_rlimits);
    return answer;
  }
  [[nodiscard]] std::string trace() const { return fixture.workspace() + "/trace"; }
};

// ---- One call of the launch ---------------------------------------------------------------------

struct Call {
  const char* name;
  std::uint32_t number;
  std::size_t argument;
  RefusedCall::Test test;
  std::uint32_t value;
};

void PrintTo(const Call& call, std::ostream* out) { *out << call.name; }

class Shortage : public testing::TestWithParam<Call> {
 protected:
  [[nodiscard]] Answer run_with(std::uint32_t error) const {
    const Call& call = GetParam();
    const auto refuse = [&] {
      return refuse_call({call.number, call.argument, call.test, call.value, error});
    };
    return Shortened{fixture_, refuse}.run();
  }

 private:
  RunFixture fixture_;
};

TEST_P(Shortage, IsAFailureAndNoReasonForAWeakerTier) {
  for (const int error : {EAGAIN, EMFILE, ENFILE, ENOMEM})
    EXPECT_EQ(run_with(static_cast<std::uint32_t>(error)), failed) << errno_text(error);
  // Not every call can return ENOSPC; where it cannot, the outcome need not explain it.
  EXPECT_THAT(run_with(ENOSPC), testing::AnyOf(failed, without_words));
}

TEST_P(Shortage, IsToldApartFromARefusal) {
  for (const int error : {EPERM, ENOSYS})
    EXPECT_EQ(run_with(static_cast<std::uint32_t>(error)), in_tier_b) << errno_text(error);
}

constexpr auto kEquals = RefusedCall::Test::equals;
constexpr auto kHasBitOf = RefusedCall::Test::has_a_bit_of;
INSTANTIATE_TEST_SUITE_P(In, Shortage,
                         testing::Values(Call{"clone", SYS_clone, 0, kHasBitOf, CLONE_NEWUSER},
                                         Call{"network", SYS_unshare, 0, kHasBitOf, CLONE_NEWNET},
                                         Call{"host_name", SYS_sethostname, 1, kEquals, 4},
                                         Call{"domain", SYS_setdomainname, 1, kEquals, 6},
                                         Call{"root", SYS_fsopen, 1, kEquals, FSOPEN_CLOEXEC}),
                         [](const auto& call) { return std::string(call.param.name); });

// ---- Limits of namespaces -----------------------------------------------------------------------

bool limit_namespaces(std::string_view kind, int most) {
  return static_cast<bool>(sys::write_control(
      AT_FDCWD, concat("/proc/sys/user/max_", kind, "_namespaces"), concat(most)));
}

// Uses one namespace up: an open file keeps it alive until this process ends.
bool hold_namespace(const std::string& kind, int flag) {
  auto held = sys::pipe();
  if (!held) return false;
  const pid_t child = fork();
  if (child == 0) {
    const bool holds = unshare(flag) == 0;
    const ssize_t told = write(held.value().write.get(), holds ? "y" : "n", 1);
    if (told == 1 && holds) pause();
    _exit(1);
  }
  if (child == -1) return false;
  char answer = 0;
  const bool made = read(held.value().read.get(), &answer, 1) == 1 && answer == 'y';
  const int file = open(concat("/proc/", child, "/ns/", kind).c_str(), O_RDONLY | O_CLOEXEC);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return made && file != -1;
}

TEST(NamespaceLimit, OfNoneIsARefusalAndOneThatIsUsedUpIsNot) {
  const RunFixture fixture;
  for (const char* kind : {"user", "mnt", "pid", "net", "ipc", "uts", "cgroup"}) {
    EXPECT_EQ((Shortened{fixture,
                         [&] { return become_root_of(CLONE_NEWNS) && limit_namespaces(kind, 0); }}
                   .run()),
              in_tier_b)
        << kind;
  }
  const auto allow_many = [] {
    return become_root_of(CLONE_NEWNS) && limit_namespaces("user", 99);
  };
  EXPECT_EQ((Shortened{fixture, allow_many}.run()), in_tier_c)
      << "also inside another user namespace";
  struct Used {
    const char* kind;
    int flag;
  };
  for (const Used& used : {Used{"user", CLONE_NEWUSER}, Used{"net", CLONE_NEWNET},
                           Used{"uts", CLONE_NEWUTS}, Used{"cgroup", CLONE_NEWCGROUP}}) {
    const auto use_up = [&] {
      return become_root_of(CLONE_NEWNS) && limit_namespaces(used.kind, 1) &&
             hold_namespace(used.kind, used.flag);
    };
    EXPECT_EQ((Shortened{fixture, use_up}.run()), failed) << used.kind;
  }
}

// The limit of an outer namespace cannot be read, so nothing proves that it is 0.
TEST(NamespaceLimit, ThatCannotBeSeenIsNoRefusal) {
  const RunFixture fixture;
  const auto cripple = [] {
    return become_root_of(CLONE_NEWNS) && limit_namespaces("net", 0) && become_root_of(CLONE_NEWNS);
  };
  EXPECT_EQ((Shortened{fixture, cripple}.run()), failed);
}

// ---- A cgroup -----------------------------------------------------------------------------------

// The filter recognises the mkdir() by its mode, which init also uses for its directories. So this
// runs in tier b, where init makes none.
TEST(CgroupShortage, IsAFailureAndNoReasonForRlimits) {
  if (getuid() != 0) GTEST_SKIP() << "only root may make cgroups everywhere";
  const RunFixture fixture;
  FixturePolicy policy = accepting_tier_b();
  policy.tier = {TierChoice::b, Tier::b};
  policy.limits.memory_bytes = 512 * kMiB;
  const auto run_with = [&](int error) {
    const auto refuse = [&] {
      return refuse_call({SYS_mkdirat, 2, kEquals, 0755, static_cast<std::uint32_t>(error)});
    };
    return Shortened{fixture, refuse, policy}.run();
  };
  for (const int error : {EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC})
    EXPECT_EQ(run_with(error), failed);
  EXPECT_EQ(run_with(EPERM), with_rlimits);
}

}  // namespace
}  // namespace bawn
