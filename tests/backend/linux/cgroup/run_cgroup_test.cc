#include "backend/linux/cgroup/run_cgroup.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>

#include "base/text.h"
#include "sys/control_file.h"

namespace bawn::linux_ {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint64_t kMiB = 1024 * 1024;

// ---- Limits, in a directory of plain files ------------------------------------------------------

class CgroupFilesTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/bawn-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    path_ = pattern;
    directory_ = Fd(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }
  void TearDown() override { std::filesystem::remove_all(path_); }

  void file(const std::string& name, const std::string& content = "") const {
    std::ofstream(path_ + "/" + name) << content;
  }
  [[nodiscard]] std::string content(const std::string& name) const {
    return sys::read_control(directory_.get(), name).value();
  }
  [[nodiscard]] Result<CgroupReadback> apply(CgroupVersion version, const CgroupLimits& limits,
                                             OutOfMemory overrun = OutOfMemory::kills_all) const {
    return apply_cgroup_limits(directory_.get(), version, limits, overrun);
  }

  std::string path_;
  Fd directory_;
};

TEST_F(CgroupFilesTest, OfVersionTwoGetEveryLimit) {
  for (const char* name :
       {"memory.max", "memory.swap.max", "memory.oom.group", "pids.max", "cpu.max"})
    file(name);
  const auto applied = apply(CgroupVersion::v2, {64 * kMiB + 5, 10, CpuRate{50'000, 100'000}});
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(content("memory.max"), "67108864") << "whole pages";
  EXPECT_EQ(content("memory.swap.max"), "0");
  EXPECT_EQ(content("memory.oom.group"), "1");
  EXPECT_EQ(content("pids.max"), "10");
  EXPECT_EQ(content("cpu.max"), "50000 100000");
  EXPECT_EQ(applied.value().limits.memory_bytes, 64 * kMiB);
  EXPECT_TRUE(applied.value().swap_bounded);
}

// A plain file returns what was written to it. A cgroup file would list the enabled controllers.
TEST_F(CgroupFilesTest, ThatDoNotSwitchAControllerOnAreAnError) {
  file("cgroup.subtree_control");
  const CgroupControllers pids = {CgroupController::pids};
  const CgroupPlace place{
      .version = CgroupVersion::v2,
      .parents = {{.directory = path_, .controllers = pids, .to_enable = pids}}};
  const auto made = make_run_cgroup(place, "run", {.processes = 5});
  ASSERT_FALSE(made.ok());
  EXPECT_THAT(made.error().message, HasSubstr("'+pids' was written, but the kernel answers"));
}

TEST_F(CgroupFilesTest, OfVersionOneGetEveryLimit) {
  for (const char* name : {"memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "pids.max",
                           "cpu.cfs_quota_us", "cpu.cfs_period_us"}) {
    file(name);
  }
  const auto applied = apply(CgroupVersion::v1, {64 * kMiB, 10, CpuRate{50'000, 100'000}});
  ASSERT_TRUE(applied) << applied.error().message;
  EXPECT_EQ(content("memory.limit_in_bytes"), "67108864");
  EXPECT_EQ(content("memory.memsw.limit_in_bytes"), "67108864");
  EXPECT_EQ(content("pids.max"), "10");
  EXPECT_EQ(content("cpu.cfs_quota_us"), "50000");
  EXPECT_EQ(content("cpu.cfs_period_us"), "100000");
}

TEST_F(CgroupFilesTest, WithoutAccountingOfSwapAreReportedAsSuch) {
  for (const char* name : {"memory.max", "memory.oom.group", "memory.limit_in_bytes"}) file(name);
  EXPECT_FALSE(apply(CgroupVersion::v2, {.memory_bytes = kMiB}).value().swap_bounded);
  EXPECT_FALSE(apply(CgroupVersion::v1, {.memory_bytes = kMiB}).value().swap_bounded);
}

TEST_F(CgroupFilesTest, AboveManyRunsDoNotKillAllOfThemAtOnce) {
  for (const char* name : {"memory.max", "memory.oom.group"}) file(name);
  ASSERT_TRUE(apply(CgroupVersion::v2, {.memory_bytes = kMiB}, OutOfMemory::kills_one));
  EXPECT_EQ(content("memory.oom.group"), "");
}

TEST_F(CgroupFilesTest, ThatTheKernelDoesNotHaveAreAnErrorThatNamesThem) {
  const auto applied = apply(CgroupVersion::v2, {.processes = 10});
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message, AllOf(HasSubstr("'pids.max'"), HasSubstr("ENOENT")));
  file("memory.max");
  EXPECT_THAT(apply(CgroupVersion::v2, {.memory_bytes = kMiB}).error().message,
              HasSubstr("'memory.oom.group'"));
}

TEST_F(CgroupFilesTest, ThatAnswerSomethingElseAreAnErrorWithBothValues) {
  // A plain file keeps the old bytes behind the new ones; a cgroup file does not.
  file("pids.max", "9999");
  const auto applied = apply(CgroupVersion::v2, {.processes = 10});
  ASSERT_FALSE(applied);
  EXPECT_THAT(applied.error().message,
              AllOf(HasSubstr("'pids.max'"), HasSubstr("'10'"), HasSubstr("'1099'")));
}

TEST_F(CgroupFilesTest, DoNotTakeALimitOfLessThanAPage) {
  file("memory.max");
  EXPECT_THAT(apply(CgroupVersion::v2, {.memory_bytes = 100}).error().message,
              HasSubstr("less than a page"));
  EXPECT_EQ(content("memory.max"), "");
}

// ---- Real cgroups -------------------------------------------------------------------------------

std::string new_name() {
  static int count = 0;
  return concat("bawn-test-", getpid(), "-", ++count);
}

pid_t clone_into(const RunCgroup& run) {
  clone_args arguments{};
  arguments.flags = CLONE_INTO_CGROUP;
  arguments.exit_signal = SIGCHLD;
  arguments.cgroup = static_cast<__u64>(run.directories.at(0).directory());
  return static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
}

// Runs `work` in a child in the cgroup, and returns its wait status.
int status_inside(const RunCgroup& run, const std::function<int()>& work) {
  const bool born_inside = run.version == CgroupVersion::v2;
  const pid_t child = born_inside ? clone_into(run) : fork();
  if (child == 0) {
    for (const Fd& entrance : run.entrances) {
      if (!born_inside && write(entrance.get(), "0", 1) != 1) _exit(255);
    }
    _exit(work());
  }
  EXPECT_NE(child, -1);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

// How many of `wanted` children can live at the same time.
int forks(int wanted) {
  std::vector<pid_t> children;
  while (std::ssize(children) < wanted) {
    const pid_t child = fork();
    if (child == -1) break;
    if (child == 0) {
      pause();
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) kill(child, SIGKILL);
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  return static_cast<int>(children.size());
}

int touch(std::size_t bytes) {
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return 1;
  for (std::size_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(memory)[at] = 1;
  return 0;
}

class RealCgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    auto place = find_cgroup_place(CgroupView::of_this_process(),
                                   {CgroupController::memory, CgroupController::pids}, {});
    if (!place) GTEST_SKIP() << "no cgroup for this user: " << place.error().message;
    place_ = std::move(place).value();
  }

  [[nodiscard]] std::vector<std::string> paths(const std::string& name) const {
    std::vector<std::string> paths;
    for (const CgroupParent& parent : place_.parents)
      paths.push_back(parent.directory + "/" + name);
    return paths;
  }

  CgroupPlace place_;
};

TEST_F(RealCgroupTest, BoundsTheProcessesOfTheWholeTree) {
  const auto bounded =
      make_run_cgroup(place_, new_name(), {.memory_bytes = 256 * kMiB, .processes = 16});
  ASSERT_TRUE(bounded) << bounded.error().message;
  EXPECT_EQ(WEXITSTATUS(status_inside(bounded.value(), [] { return forks(100); })), 15)
      << "and itself";
  EXPECT_EQ(bounded.value().counts().pids_refused, 1U);

  const auto roomy =
      make_run_cgroup(place_, new_name(), {.memory_bytes = 256 * kMiB, .processes = 200});
  ASSERT_TRUE(roomy) << roomy.error().message;
  EXPECT_EQ(WEXITSTATUS(status_inside(roomy.value(), [] { return forks(100); })), 100);
  EXPECT_EQ(roomy.value().counts().pids_refused, 0U);
}

TEST_F(RealCgroupTest, KillsForMemoryAndCountsIt) {
  const auto small =
      make_run_cgroup(place_, new_name(), {.memory_bytes = 32 * kMiB, .processes = 16});
  ASSERT_TRUE(small) << small.error().message;
  const int killed = status_inside(small.value(), [] { return touch(128 * kMiB); });
  EXPECT_TRUE(WIFSIGNALED(killed));
  EXPECT_EQ(WTERMSIG(killed), SIGKILL);
  EXPECT_GE(small.value().counts().oom_kills.value_or(0), 1U);

  const auto large =
      make_run_cgroup(place_, new_name(), {.memory_bytes = 256 * kMiB, .processes = 16});
  ASSERT_TRUE(large) << large.error().message;
  EXPECT_EQ(status_inside(large.value(), [] { return touch(128 * kMiB); }), 0);
  EXPECT_EQ(large.value().counts().oom_kills, 0U);
}

TEST_F(RealCgroupTest, TellsTheLimitsAsTheKernelHasThem) {
  const auto run =
      make_run_cgroup(place_, new_name(), {.memory_bytes = 32 * kMiB + 1, .processes = 7});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run.value().in_force.limits.memory_bytes, 32 * kMiB);
  EXPECT_EQ(run.value().in_force.limits.processes, 7U);
  EXPECT_EQ(run.value().directories.size(), place_.parents.size());
}

TEST_F(RealCgroupTest, IsRemovedWithItsOwner) {
  const std::string name = new_name();
  {
    const auto run = make_run_cgroup(place_, name, {.memory_bytes = kMiB, .processes = 7});
    ASSERT_TRUE(run) << run.error().message;
    for (const std::string& path : paths(name)) EXPECT_TRUE(std::filesystem::exists(path));
  }
  for (const std::string& path : paths(name)) EXPECT_FALSE(std::filesystem::exists(path)) << path;
}

TEST_F(RealCgroupTest, ThatCannotBeFinishedLeavesNothingBehind) {
  const std::string name = new_name();
  const auto run = make_run_cgroup(place_, name, {.memory_bytes = kMiB, .processes = 99'999'999});
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message,
              AllOf(HasSubstr(name), HasSubstr("'99999999' to 'pids.max'"), HasSubstr("EINVAL")));
  for (const std::string& path : paths(name)) EXPECT_FALSE(std::filesystem::exists(path)) << path;
}

TEST_F(RealCgroupTest, IsNeverOneThatIsThereAlready) {
  const std::string name = new_name();
  const auto first = make_run_cgroup(place_, name, {.processes = 7});
  ASSERT_TRUE(first) << first.error().message;
  const auto second = make_run_cgroup(place_, name, {.processes = 7});
  ASSERT_FALSE(second);
  EXPECT_THAT(second.error().message, HasSubstr("EEXIST"));
  EXPECT_TRUE(std::filesystem::exists(paths(name).at(0))) << "the first is still there";
}

TEST_F(RealCgroupTest, RefusesALimitThatThePlaceHasNoControllerFor) {
  const auto run = make_run_cgroup(place_, new_name(), {.cpu_rate = CpuRate{1000}});
  ASSERT_FALSE(run);
  EXPECT_THAT(run.error().message, HasSubstr("no controller cpu"));
}

// Two runs, each within its own limit, share one budget.
TEST_F(RealCgroupTest, UnderABudgetSharesItWithTheOthers) {
  const std::string parent = new_name();
  const auto shared =
      ensure_cgroup_parent(place_, parent, {.memory_bytes = 256 * kMiB, .processes = 20});
  ASSERT_TRUE(shared) << shared.error().message;
  EXPECT_EQ(shared.value().in_force.limits.memory_bytes, 256 * kMiB);
  EXPECT_EQ(shared.value().in_force.limits.processes, 20U);
  const CgroupPlace& place = shared.value().place;
  {
    const CgroupLimits each = {.memory_bytes = 128 * kMiB, .processes = 15};
    const auto first = make_run_cgroup(place, new_name(), each);
    const auto second = make_run_cgroup(place, new_name(), each);
    ASSERT_TRUE(first) << first.error().message;
    ASSERT_TRUE(second) << second.error().message;
    const auto nested = [&] {
      return WEXITSTATUS(status_inside(second.value(), [] { return forks(100); }));
    };
    EXPECT_EQ(nested(), 14) << "alone it has its own limit";

    // Ten processes of the first run live while the second tries. The whole budget is 20.
    const int from_both = status_inside(first.value(), [&] {
      std::vector<pid_t> sleepers;
      for (int i = 0; i < 9; ++i) {
        const pid_t child = fork();
        if (child == 0) {
          pause();
          _exit(0);
        }
        sleepers.push_back(child);
      }
      const int seen = nested();
      for (const pid_t child : sleepers) kill(child, SIGKILL);
      for (const pid_t child : sleepers) waitpid(child, nullptr, 0);
      return seen;
    });
    EXPECT_EQ(WEXITSTATUS(from_both), 9) << "20 less ten of the first and the second's own process";
  }
  // The parent exists already, with another budget: it is used.
  EXPECT_TRUE(ensure_cgroup_parent(place_, parent, {.memory_bytes = 512 * kMiB, .processes = 30}));
  EXPECT_TRUE(ensure_cgroup_parent(place_, parent, {.memory_bytes = 128 * kMiB, .processes = 10}));
  for (const std::string& path : paths(parent)) EXPECT_EQ(rmdir(path.c_str()), 0) << path;
}

// A process tree that lost one process at random would give wrong results.
TEST_F(RealCgroupTest, KillsTheWholeRunForMemory) {
  if (place_.version == CgroupVersion::v1) GTEST_SKIP() << "cgroup v1 kills one process for memory";
  const auto run =
      make_run_cgroup(place_, new_name(), {.memory_bytes = 32 * kMiB, .processes = 16});
  ASSERT_TRUE(run) << run.error().message;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  const int status = status_inside(run.value(), [] {
    const pid_t child = fork();
    if (child == 0) _exit(touch(128 * kMiB));
    waitpid(child, nullptr, 0);
    return 0;
  });
  EXPECT_TRUE(WIFSIGNALED(status)) << "the parent used little";
  // The orphan comes to this subreaper. The cgroup cannot be removed before it is reaped.
  EXPECT_GT(waitpid(-1, nullptr, 0), 0);
  prctl(PR_SET_CHILD_SUBREAPER, 0);
}

TEST(CpuCgroupTest, TakesARate) {
  const auto place = find_cgroup_place(CgroupView::of_this_process(), {CgroupController::cpu}, {});
  if (!place) GTEST_SKIP() << "no cgroup for this user: " << place.error().message;
  const auto run =
      make_run_cgroup(place.value(), new_name(), {.cpu_rate = CpuRate{20'000, 50'000}});
  ASSERT_TRUE(run) << run.error().message;
  ASSERT_TRUE(run.value().in_force.limits.cpu_rate);
  EXPECT_EQ(run.value().in_force.limits.cpu_rate->quota_us, 20'000U);
  EXPECT_EQ(status_inside(run.value(), [] { return touch(kMiB); }), 0);
}

// Features that need no controller also work on a hybrid host.
class UnifiedCgroupTest : public testing::Test {
 protected:
  void SetUp() override {
    auto place = find_cgroup_place(CgroupView::of_this_process(), {}, {});
    if (!place) GTEST_SKIP() << "no cgroup for this user: " << place.error().message;
    place_ = std::move(place).value();
    name_ = new_name();
    auto run = make_run_cgroup(place_, name_, {});
    ASSERT_TRUE(run) << run.error().message;
    run_.emplace(std::move(run).value());
  }

  CgroupPlace place_;
  std::string name_;
  std::optional<RunCgroup> run_;
};

// The line "0::/..." of the calling process.
std::string own_unified_cgroup() {
  const std::string text = sys::read_control(AT_FDCWD, "/proc/self/cgroup").value();
  return text.substr(text.rfind("0::", std::string::npos));
}

TEST_F(UnifiedCgroupTest, CountsProcessorTimeOfAProcessThatWasBornInside) {
  EXPECT_EQ(status_inside(*run_, [] { return touch(16 * kMiB); }), 0);
  EXPECT_GT(run_->counts().cpu_user_usec.value_or(0) + run_->counts().cpu_system_usec.value_or(0),
            0U);
  run_.reset();
  EXPECT_FALSE(std::filesystem::exists(place_.parents.at(0).directory + "/" + name_));
}

TEST_F(UnifiedCgroupTest, KillsEverythingInsideAtOnce) {
  ASSERT_TRUE(run_->kill) << "Linux 5.14 has cgroup.kill";
  const pid_t child = clone_into(*run_);
  if (child == 0) {
    for (;;) pause();
  }
  ASSERT_EQ(write(run_->kill.get(), "1", 1), 1);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status));
}

// When init starts the command it is in a user namespace, with this user's ids and without
// privileges over the host.
class UnifiedCgroupFromInsideTest : public UnifiedCgroupTest {
 protected:
  // Runs `work` in a child with init's ids and namespace, and returns its wait status.
  int status_as_init(const std::function<int()>& work) {
    const uid_t user = geteuid();
    const gid_t group = getegid();
    const pid_t init = fork();
    if (init == 0) {
      if (unshare(CLONE_NEWUSER) != 0) _exit(250);
      const bool mapped =
          sys::write_control(AT_FDCWD, "/proc/self/setgroups", "deny") &&
          sys::write_control(AT_FDCWD, "/proc/self/gid_map", concat(group, " ", group, " 1")) &&
          sys::write_control(AT_FDCWD, "/proc/self/uid_map", concat(user, " ", user, " 1"));
      _exit(mapped ? work() : 251);
    }
    int status = -1;
    waitpid(init, &status, 0);
    return status;
  }
};

TEST_F(UnifiedCgroupFromInsideTest, AProcessIsClonedIntoItAndSeesItAsTheRoot) {
  const int status = status_as_init([this] {
    clone_args arguments{};
    arguments.flags = CLONE_INTO_CGROUP | CLONE_NEWCGROUP;
    arguments.exit_signal = SIGCHLD;
    arguments.cgroup = static_cast<__u64>(run_->directories.at(0).directory());
    const auto child = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
    if (child == -1) return errno;
    if (child == 0) _exit(own_unified_cgroup() == "0::/\n" ? 0 : 240);
    int inner = -1;
    waitpid(child, &inner, 0);
    // Outside of the child's cgroup namespace: init itself has not moved.
    return own_unified_cgroup().find(name_) == std::string::npos ? WEXITSTATUS(inner) : 241;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(UnifiedCgroupFromInsideTest, AProcessEntersThroughAFileThatWasOpenedOutside) {
  const int status = status_as_init([this] {
    if (own_unified_cgroup().find(name_) != std::string::npos) return 240;
    if (write(run_->entrances.at(0).get(), "0", 1) != 1) return errno;
    return own_unified_cgroup().find(name_) != std::string::npos ? 0 : 241;
  });
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace bawn::linux_
