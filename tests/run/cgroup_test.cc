// Limits that hold for the whole tree because the run has a cgroup, and nothing of the cgroup is
// left afterwards.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <thread>

#include "fixture.h"
#include "policy/limit.h"
#include "policy/policy.h"
#include "sys/control_file.h"
#include "sys/fd.h"

namespace bawn {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

constexpr std::uint64_t kMiB = 1 << 20;

class CgroupRun : public testing::Test {
 protected:
  void SetUp() override {
    if (!cgroups_.exists()) GTEST_SKIP() << "no cgroup for this user: " << cgroups_.why_not();
  }
  void TearDown() override { EXPECT_EQ(cgroups_.runs(), ""); }

  [[nodiscard]] FixturePolicy policy(std::uint64_t memory, std::uint64_t processes) const {
    FixturePolicy policy = fixture_policy();
    policy.limits.memory_bytes = memory;
    policy.limits.processes = processes;
    policy.limits.cgroup_parent = cgroups_.parent();
    return policy;
  }

  // Waits, because the cgroup reaper needs time to remove them.
  [[nodiscard]] bool are_gone_soon() const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!cgroups_.runs().empty()) {
      if (std::chrono::steady_clock::now() > deadline) return false;
      std::this_thread::yield();
    }
    return true;
  }

  RunFixture fixture_;
  CgroupFixture cgroups_{{CgroupController::memory, CgroupController::pids, CgroupController::cpu}};
};

TEST_F(CgroupRun, IsMadeByItselfWhereThatIsPossible) {
  FixturePolicy wanting = policy(64 * kMiB, 32);
  wanting.limits.cgroup_parent = "";
  const Outcome outcome = fixture_.run(wanting, {"exit", "0"});
  EXPECT_EQ(layer_state(outcome, "cgroup"), LayerState::enforced);
  EXPECT_TRUE(
      layer_has(outcome, "cgroup", {"cloned_into", cgroups_.version() == CgroupVersion::v2}));
  EXPECT_TRUE(layer_has(outcome, "limit.memory", {"value", 64 * kMiB}));
  EXPECT_TRUE(layer_has(outcome, "limit.memory", {"scope", "tree"}));
  EXPECT_THAT(layer_text(outcome, "limit.memory", "directory"),
              EndsWith("/bawn-" + outcome.run_id));
  EXPECT_TRUE(layer_has(outcome, "limit.processes", {"file", "pids.max"}));
  EXPECT_TRUE(layer_has(outcome, "limit.processes", {"value", 32}));
  wanting.limits.memory_bytes = {};
  wanting.limits.processes = {};
  EXPECT_EQ(layer_state(fixture_.run(wanting, {"exit", "0"}), "cgroup"), LayerState::not_requested);
}

TEST_F(CgroupRun, BoundsTheMemoryOfProcessesThatAreEachWithinIt) {
  const Outcome outcome =
      fixture_.run(policy(96 * kMiB, 16), {"allocate-in-children", "3", std::to_string(48 * kMiB)});
  EXPECT_FALSE(outcome.success()) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "memory");
  // cgroup v1 kills one process, and the command fails because it is missing.
  EXPECT_EQ(outcome.status,
            cgroups_.version() == CgroupVersion::v2 ? Status::quota_exceeded : Status::exited);

  const Outcome within =
      fixture_.run(policy(96 * kMiB, 16), {"allocate-in-children", "3", std::to_string(16 * kMiB)});
  EXPECT_TRUE(within.success()) << outcome_json(within);
  EXPECT_EQ(within.limit, "");
  EXPECT_TRUE(layer_has(within, "limit.memory", {"oom_kill", 0}));
}

TEST_F(CgroupRun, NamesTheMemoryLimitThatKilledTheCommand) {
  const Outcome outcome =
      fixture_.run(policy(64 * kMiB, 16), {"allocate", std::to_string(128 * kMiB)});
  EXPECT_EQ(outcome.status, Status::quota_exceeded) << outcome_json(outcome);
  EXPECT_EQ(outcome.limit, "memory");
  ASSERT_TRUE(outcome.error.has_value());
  EXPECT_EQ(outcome.error->message, "the memory limit of 67108864 bytes was reached");
  EXPECT_EQ(exit_code_of(outcome), 137);
}

TEST_F(CgroupRun, BoundsProcessesAndNamesThatOnlyIfTheCommandFailed) {
  const Outcome content = fixture_.run(policy(96 * kMiB, 32), {"fork-many", "200"});
  EXPECT_EQ(content.stdout_stream.data, "31\n") << "and itself";
  EXPECT_TRUE(content.success());
  EXPECT_EQ(content.limit, "") << "it got along";
  EXPECT_TRUE(layer_has(content, "limit.processes", {"refused", 1}));

  const Outcome failed = fixture_.run(policy(96 * kMiB, 32), {"need-processes", "200"});
  EXPECT_EQ(failed.status, Status::exited) << outcome_json(failed);
  EXPECT_EQ(failed.exit_code, 1);
  EXPECT_EQ(failed.limit, "processes");

  const Outcome within = fixture_.run(policy(96 * kMiB, 32), {"need-processes", "31"});
  EXPECT_TRUE(within.success()) << outcome_json(within);
  EXPECT_EQ(fixture_.run(policy(96 * kMiB, 32), {"exit", "3"}).limit, "") << "a failure of its own";
}

TEST_F(CgroupRun, EndsAForkBombAtTheDeadline) {
  const std::string mark = marker();
  FixturePolicy bounded = policy(256 * kMiB, 32);
  bounded.limits.wall_time_ms = 500;
  const Outcome outcome = fixture_.run(bounded, {"fork-forever", mark});
  EXPECT_EQ(outcome.status, Status::timed_out);
  expect_ended(outcome, mark);
  EXPECT_TRUE(are_gone_soon());
}

TEST_F(CgroupRun, BoundsTheShareOfTheProcessors) {
  const auto used_ms = [&](const Limit& percent, std::uint64_t& duration_ms) {
    FixturePolicy rated = policy(96 * kMiB, 16);
    rated.limits.wall_time_ms = 1500;
    rated.limits.cpu_percent = percent;
    const Outcome outcome = fixture_.run(rated, {"spin-in-children", "3", marker()});
    EXPECT_EQ(outcome.limit, "wall_time") << outcome_json(outcome);
    if (percent) {
      EXPECT_TRUE(layer_has(outcome, "limit.cpu_percent", {"quota_us", 5000}));
      EXPECT_TRUE(layer_has(outcome, "limit.cpu_percent", {"period_us", 100'000}));
    }
    duration_ms = outcome.duration_ms;
    return outcome.usage.cpu_user_ms + outcome.usage.cpu_system_ms;
  };
  std::uint64_t duration_ms = 0;
  // A twentieth of the time in every period that the run touched, plus the rounding of the clock.
  const std::uint64_t bounded = used_ms(5, duration_ms);
  const std::uint64_t most = duration_ms / 20 + 2 * 5 + 60;
  EXPECT_LE(bounded, most);
  EXPECT_GT(used_ms({}, duration_ms), most) << "without the limit";
}

// A command that ignores SIGCHLD once had unlimited CPU time, as long as each child used little:
// the kernel adds the time of such a child to no parent. cgroup v2 counts every process. Elsewhere
// the receipt says what is not counted.
TEST_F(CgroupRun, CountsTheTimeOfChildrenThatAreNotWaitedFor) {
  FixturePolicy timed = policy(96 * kMiB, 16);
  timed.limits.cpu_time_ms = 500;
  timed.limits.wall_time_ms = 120'000;
  const auto measures_init = [&] {
    const Outcome outcome = fixture_.run(timed, {"exit", "0"});
    EXPECT_TRUE(layer_has(outcome, "limit.cpu_time", {"counted", "alive_or_waited_for"}));
    EXPECT_TRUE(layer_has(outcome, "limit.cpu_time", {"counted_by", "init"}));
  };
  if (cgroups_.version() == CgroupVersion::v2) {
    const Outcome outcome = fixture_.run(timed, {"spin-in-unwaited-children", marker()});
    EXPECT_EQ(outcome.limit, "cpu_time") << outcome_json(outcome);
    EXPECT_LT(outcome.usage.cpu_user_ms + outcome.usage.cpu_system_ms, 4U * 500)
        << "making them takes time, too";
    EXPECT_TRUE(layer_has(outcome, "limit.cpu_time", {"counted", "tree"}));
    EXPECT_TRUE(layer_has(outcome, "limit.cpu_time", {"counted_by", "cgroup"}));
  } else {
    measures_init();
  }
  timed.limits = {.cpu_time_ms = 500};
  measures_init();
}

TEST_F(CgroupRun, IsDeniedIfTheParentThatThePolicyNamesCannotBeUsed) {
  for (const auto& [parent, reason] :
       {std::pair("/tmp", "'/tmp' is not a directory of a cgroup file system"),
        std::pair("/sys/fs/cgroup/bawn-is-not-here",
                  "'/sys/fs/cgroup/bawn-is-not-here' does not exist")}) {
    FixturePolicy insisting = policy(64 * kMiB, 16);
    insisting.limits.cgroup_parent = parent;
    const Outcome outcome = fixture_.run(insisting, {"exit", "0"});
    EXPECT_EQ(outcome.status, Status::denied);
    ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
    EXPECT_EQ(outcome.violations[0].code, "limit.cgroup_unavailable");
    EXPECT_EQ(outcome.violations[0].subject, parent);
    EXPECT_THAT(outcome.violations[0].message, HasSubstr(reason));
  }
  const Outcome used = fixture_.run(policy(64 * kMiB, 16), {"exit", "0"});
  EXPECT_TRUE(used.success()) << outcome_json(used);
  EXPECT_EQ(layer_text(used, "limit.memory", "directory"),
            cgroups_.parent() + "/bawn-" + used.run_id);
}

TEST_F(CgroupRun, CannotBeLeft) {
  const std::string way_out = cgroups_.parent() + "/cgroup.procs";
  EXPECT_EQ(said(fixture_.run_unvalidated(policy(64 * kMiB, 16), {"write", way_out})),
            fixture_tier() == Tier::c ? "ENOENT" : "EACCES");
  EXPECT_TRUE(Fd(open(way_out.c_str(), O_WRONLY | O_CLOEXEC))) << "outside there is one";
}

TEST_F(CgroupRun, IsMadeForAParentAloneToo) {
  FixturePolicy counting = fixture_policy();
  counting.limits.memory_bytes = {};
  counting.limits.cgroup_parent = cgroups_.parent();
  const Outcome outcome = fixture_.run(counting, {"exit", "0"});
  EXPECT_TRUE(outcome.success()) << outcome_json(outcome);
  EXPECT_TRUE(layer_has(outcome, "cgroup", {"alone_in", 1}));
}

// The first run has 11 of the 20 processes. The second gets only the rest, as long as the first
// lives.
TEST_F(CgroupRun, SharesABudgetWithTheOthers) {
  FixturePolicy sharing = policy(96 * kMiB, 18);
  sharing.limits.total_processes = 20;
  sharing.limits.total_memory_bytes = 512 * kMiB;
  const std::string holds = fixture_.workspace() + "/holds";
  const Fd cancel(eventfd(0, EFD_CLOEXEC));
  std::thread first([&] {
    const Outcome outcome =
        bawn::run(sharing, {.command = guest(), .args = {"hold-processes", "10", "holds"}},
                  {.workspace = fixture_.workspace()}, cancel.get());
    EXPECT_EQ(outcome.status, Status::cancelled) << outcome_json(outcome);
  });
  while (!std::filesystem::exists(holds)) std::this_thread::yield();
  const Outcome second = fixture_.run(sharing, {"fork-many", "100"});
  eventfd_write(cancel.get(), 1);
  first.join();
  EXPECT_EQ(second.stdout_stream.data, "8\n") << "20 less the eleven, less its own first";
  EXPECT_TRUE(layer_has(second, "limit.total_processes", {"file", "pids.max"}));
  EXPECT_TRUE(layer_has(second, "limit.total_processes", {"value", 20}));
  const bool cloned = static_cast<bool>(layer_has(second, "cgroup", {"cloned_into", true}));
  EXPECT_TRUE(!cloned || cgroups_.version() == CgroupVersion::v2);
  EXPECT_TRUE(layer_has(second, "limit.total_processes", {"first_process_bound", cloned}));
  EXPECT_EQ(layer_state(second, "limit.total_memory"), LayerState::enforced);
  EXPECT_EQ(fixture_.run(sharing, {"fork-many", "100"}).stdout_stream.data, "17\n") << "alone";
}

// The receipt once repeated the budget that was in force when the run began.
TEST_F(CgroupRun, TellsThatAnotherRunHasChangedTheBudget) {
  FixturePolicy first_policy = policy(96 * kMiB, 18);
  first_policy.limits.total_processes = 20;
  const auto while_another_sets = [&](std::uint64_t processes) {
    const std::string holds = fixture_.workspace() + "/holds-" + std::to_string(processes);
    const Fd cancel(eventfd(0, EFD_CLOEXEC));
    Outcome outcome;
    std::thread first([&] {
      outcome = bawn::run(
          first_policy,
          {.command = guest(),
           .args = {"hold-processes", "2", std::filesystem::path(holds).filename().string()}},
          {.workspace = fixture_.workspace()}, cancel.get());
    });
    while (!std::filesystem::exists(holds)) std::this_thread::yield();
    FixturePolicy second = first_policy;
    second.limits.total_processes = processes;
    EXPECT_TRUE(fixture_.run(second, {"exit", "0"}).success());
    eventfd_write(cancel.get(), 1);
    first.join();
    return outcome;
  };
  const Outcome same = while_another_sets(20);
  EXPECT_EQ(layer_state(same, "limit.total_processes"), LayerState::enforced);
  EXPECT_TRUE(layer_has(same, "limit.total_processes", {"at_end", 20}));
  EXPECT_TRUE(layer_has(same, "limit.total_processes", {"changed", false}));
  const Outcome more = while_another_sets(40);
  EXPECT_EQ(layer_state(more, "limit.total_processes"), LayerState::absent);
  EXPECT_TRUE(layer_has(more, "limit.total_processes", {"at_end", 40}));
  EXPECT_TRUE(layer_has(more, "limit.total_processes", {"changed", true}));
  const Outcome less = while_another_sets(15);
  EXPECT_EQ(layer_state(less, "limit.total_processes"), LayerState::enforced);
  EXPECT_TRUE(layer_has(less, "limit.total_processes", {"at_end", 15}));
  EXPECT_TRUE(layer_has(less, "limit.total_processes", {"changed", true}));
}

// A clone into a full cgroup fails. A process that enters a full cgroup, as in v1, is let in, and
// the receipt says so.
TEST_F(CgroupRun, DoesNotBeginWhereTheBudgetIsUsedUp) {
  FixturePolicy sharing = policy(96 * kMiB, 18);
  sharing.limits.total_processes = 11;
  const std::string holds = fixture_.workspace() + "/holds";
  const Fd cancel(eventfd(0, EFD_CLOEXEC));
  std::thread first([&] {
    (void)bawn::run(sharing, {.command = guest(), .args = {"hold-processes", "10", "holds"}},
                    {.workspace = fixture_.workspace()}, cancel.get());
  });
  while (!std::filesystem::exists(holds)) std::this_thread::yield();
  const Outcome second = fixture_.run(sharing, {"fork-many", "100"});
  eventfd_write(cancel.get(), 1);
  first.join();
  if (second.error) {
    EXPECT_EQ(second.status, Status::failed) << outcome_json(second);
    EXPECT_EQ(second.error->step, "clone_command");
    EXPECT_THAT(second.error->hint, HasSubstr("limits.total_processes"));
    EXPECT_EQ(second.stdout_stream.data, "");
  } else {
    EXPECT_EQ(second.stdout_stream.data, "0\n");
    EXPECT_TRUE(layer_has(second, "limit.total_processes", {"first_process_bound", false}));
  }
  EXPECT_EQ(fixture_.run(sharing, {"fork-many", "100"}).stdout_stream.data, "10\n") << "alone";
}

// The parameter is the user that the command runs as; none means the caller.
class KilledCgroupRun : public CgroupRun, public testing::WithParamInterface<Limit> {};

TEST_P(KilledCgroupRun, LeavesNoCgroup) {
  if (GetParam() && (getuid() != 0 || fixture_tier() != Tier::c))
    GTEST_SKIP() << "only root can run a command as another user, in tier c";
  const std::string mark = marker();
  FixturePolicy other = policy(96 * kMiB, 16);
  other.identity.uid = other.identity.gid = GetParam();
  chmod(std::filesystem::path(fixture_.workspace()).parent_path().c_str(), 0755);
  const Outcome answered = fixture_.run(other, {"exit", "0"});
  EXPECT_TRUE(answered.success()) << outcome_json(answered);
  EXPECT_EQ(cgroups_.runs(), "");

  const pid_t child = fork();
  if (child == 0) {
    (void)fixture_.run(other, {"ignore-and-sleep", mark});
    _exit(0);
  }
  while (!process_with_argument(mark)) std::this_thread::yield();
  EXPECT_NE(cgroups_.runs(), "");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(is_gone_soon(mark));
  EXPECT_TRUE(are_gone_soon()) << cgroups_.runs();
}

INSTANTIATE_TEST_SUITE_P(As, KilledCgroupRun, testing::Values(Limit{}, Limit{65534}),
                         [](const auto& user) { return user.param ? "AnotherUser" : "TheCaller"; });

// ---- Without cgroups ----------------------------------------------------------------------------

// Runs `holds` in a process that sees no cgroup: 0 if it holds, 1 if not, 2 if the set-up failed.
int without_cgroups(const std::function<bool()>& holds) {
  return in_another_process([&] {
    if (!hide_cgroups()) return 2;
    return holds() ? 0 : 1;
  });
}

TEST(NoCgroup, LeavesMemoryToARlimitAndSaysWhy) {
  if (getuid() != 0) GTEST_SKIP() << "only root can hide the cgroups";
  const RunFixture fixture;
  EXPECT_EQ(without_cgroups([&] {
              FixturePolicy policy = fixture_policy();
              policy.limits.memory_bytes = 64 * kMiB;
              const Outcome outcome = fixture.run(policy, {"allocate", std::to_string(128 * kMiB)});
              return outcome.stdout_stream.data == "ENOMEM\n" &&
                     layer_state(outcome, "cgroup") == LayerState::absent &&
                     layer_text(outcome, "cgroup", "reason").find("is not mounted") !=
                         std::string::npos &&
                     layer_has(outcome, "limit.memory", {"rlimit", "RLIMIT_DATA"}) &&
                     layer_has(outcome, "limit.memory", {"value", 64 * kMiB});
            }),
            0);
}

// Without a cgroup the limit was once called enforced. It is only if a cgroup bounds the whole
// tree.
TEST(NoCgroup, LeavesTheMemoryLimitPartialAndSaysWhatEscapesIt) {
  if (getuid() != 0) GTEST_SKIP() << "only root can hide the cgroups";
  const RunFixture fixture;
  EXPECT_EQ(without_cgroups([&] {
              FixturePolicy policy = fixture_policy();
              policy.limits.memory_bytes = 64 * kMiB;
              const Outcome outcome =
                  fixture.run(policy, {"allocate-shared", std::to_string(128 * kMiB)});
              return outcome.stdout_stream.data == "ok\n" &&
                     layer_state(outcome, "limit.memory") == LayerState::partial &&
                     layer_text(outcome, "limit.memory", "escapes").find("shared memory") !=
                         std::string::npos;
            }),
            0);
}

TEST_F(CgroupRun, BoundsSharedMemoryToo) {
  const Outcome outcome =
      fixture_.run(policy(64 * kMiB, 32), {"allocate-shared", std::to_string(128 * kMiB)});
  EXPECT_EQ(outcome.limit, "memory") << outcome_json(outcome);
  EXPECT_EQ(layer_state(outcome, "limit.memory"), LayerState::enforced);
}

// ---- A limit around the run ---------------------------------------------------------------------

// Puts this process and its children into a cgroup with this much memory, as a batch system or a
// pod does.
bool enter_small_cgroup(const CgroupFixture& cgroups, std::uint64_t bytes) {
  const bool v2 = cgroups.version() == CgroupVersion::v2;
  const std::string directory = cgroups.parent() + "/job";
  const auto set = [&](const std::string& file, const std::string& value) {
    return sys::write_control(AT_FDCWD, directory + "/" + file, value).ok();
  };
  if (mkdir(directory.c_str(), 0755) != 0) return false;
  if (!set(v2 ? "memory.max" : "memory.limit_in_bytes", std::to_string(bytes))) return false;
  // Forbids swap, so that the limit is met. Not every kernel counts swap, so a failure is ignored.
  set(v2 ? "memory.swap.max" : "memory.memsw.limit_in_bytes", v2 ? "0" : std::to_string(bytes));
  return set("cgroup.procs", "0");
}

struct OuterLimit : testing::Test {
  void SetUp() override {
    if (!cgroups_.exists()) GTEST_SKIP() << "no cgroup for this user: " << cgroups_.why_not();
  }
  void TearDown() override {
    if (!cgroups_.exists()) return;
    EXPECT_EQ(rmdir((cgroups_.parent() + "/job").c_str()), 0);
  }

  // 0 if `holds` is true of the command's outcome in the small cgroup.
  [[nodiscard]] int inside(const FixturePolicy& policy, const std::vector<std::string>& words,
                           const std::function<bool(const Outcome&)>& holds) const {
    return WEXITSTATUS(in_another_process([&] {
      if (!enter_small_cgroup(cgroups_, 96 * kMiB)) return 2;
      const Outcome outcome = fixture_.run(policy, words);
      if (holds(outcome)) return 0;
      ADD_FAILURE() << outcome_json(outcome);
      return 1;
    }));
  }

  RunFixture fixture_;
  CgroupFixture cgroups_{{CgroupController::memory}};
};

bool names_outer_limit(const Outcome& outcome, const std::string& directory) {
  return outcome.status == Status::signaled && outcome.signal == SIGKILL && outcome.limit.empty() &&
         outcome.error &&
         outcome.error->message.find("outer cgroup ('" + directory) != std::string::npos &&
         outcome.error->message.find("100663296 bytes") != std::string::npos;
}

FixturePolicy without_cgroup() {
  FixturePolicy policy = fixture_policy();
  policy.limits.memory_bytes = policy.limits.processes = {};
  return policy;
}

// The outcome once said that the command was killed, but not by which limit.
TEST_F(OuterLimit, IsNamedByTheOutcomeOfACommandThatItKilled) {
  EXPECT_EQ(inside(without_cgroup(), {"allocate", std::to_string(256 * kMiB)},
                   [&](const Outcome& outcome) {
                     return names_outer_limit(outcome, cgroups_.parent() + "/job");
                   }),
            0);
}

TEST_F(OuterLimit, IsNamedAlsoIfTheRunHasACgroupOfItsOwnWithALargerLimit) {
  FixturePolicy policy = fixture_policy();
  policy.limits.memory_bytes = 512 * kMiB;
  EXPECT_EQ(inside(policy, {"allocate", std::to_string(256 * kMiB)},
                   [&](const Outcome& outcome) {
                     return names_outer_limit(outcome, cgroups_.parent() + "/job");
                   }),
            0);
}

TEST_F(OuterLimit, IsNotBlamedForTheRunsOwnLimitNorForAnotherKill) {
  FixturePolicy policy = fixture_policy();
  policy.limits.memory_bytes = 32 * kMiB;
  EXPECT_EQ(inside(policy, {"allocate", std::to_string(256 * kMiB)},
                   [](const Outcome& outcome) { return outcome.limit == "memory"; }),
            0);
  EXPECT_EQ(rmdir((cgroups_.parent() + "/job").c_str()), 0);
  EXPECT_EQ(inside(without_cgroup(), {"raise", std::to_string(SIGKILL)},
                   [](const Outcome& outcome) {
                     return outcome.signal == SIGKILL && !outcome.error && outcome.limit.empty();
                   }),
            0);
}

TEST(NoCgroup, RefusesAShareOfTheProcessorsUnlessItIsOptional) {
  if (getuid() != 0) GTEST_SKIP() << "only root can hide the cgroups";
  const RunFixture fixture;
  EXPECT_EQ(without_cgroups([&] {
              FixturePolicy policy = fixture_policy();
              policy.limits.cpu_percent = 50;
              const Outcome refused = fixture.run(policy, {"exit", "0"});
              policy.limits.optional.emplace_back("cpu_percent");
              const Outcome without = fixture.run(policy, {"exit", "0"});
              return refused.violations.size() == 1 &&
                     refused.violations[0].code == "limit.unenforceable" &&
                     refused.violations[0].subject == "limits.cpu_percent" && without.success() &&
                     layer_state(without, "limit.cpu_percent") == LayerState::absent;
            }),
            0);
}

}  // namespace
}  // namespace bawn
