#include "backend/linux/launch/conclude.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>
#include <map>

#include "backend/linux/lookup/path_lookup.h"
#include "plan/plan_parts.h"

namespace bawn::linux_ {
namespace {

using testing::HasSubstr;

// The outcome of a command that was killed, in a cgroup with these counts.
Outcome killed(const CgroupCounts& counts, bool with_budget = false) {
  Supervised supervised;
  supervised.run.ending = Ending::exited;
  supervised.run.tree_gone = true;
  supervised.wait_status = SIGKILL;
  Plan plan;
  plan.tier = Tier::c;
  plan.limits.memory_bytes = 1 << 20;
  CgroupSummary record;
  record.counts = counts;
  if (with_budget) record.budget.emplace();
  return conclude(supervised, plan, RunFilter{}, HostFacts{}, record);
}

Outcome stopped_at(init::Step step, int error, const Plan& plan) {
  Supervised supervised;
  supervised.failure.emplace();
  supervised.failure->step = step;
  supervised.failure->error = error;
  return conclude(supervised, plan, RunFilter{}, HostFacts{}, {});
}

// A kill by the host's OOM killer, or by a limit further up, was once reported as the run's memory
// limit.
TEST(Conclude, NamesTheMemoryLimitOnlyIfItWasOurs) {
  EXPECT_EQ(killed({.oom_kills = 1, .own_limit_met = 1}).status, Status::quota_exceeded);
  EXPECT_EQ(killed({.oom_kills = 1, .own_limit_met = 1}).limit, "memory");
  EXPECT_EQ(killed({.oom_kills = 1}).limit, "memory") << "the kernel does not say whose";
  EXPECT_EQ(killed({.oom_kills = 1, .own_limit_met = 0}, true).limit, "memory")
      << "of all runs together";
  for (const CgroupCounts& counts :
       {CgroupCounts{.oom_kills = 1, .own_limit_met = 0},
        CgroupCounts{.oom_kills = 0, .own_limit_met = 1}, CgroupCounts{}}) {
    const Outcome outcome = killed(counts);
    EXPECT_EQ(outcome.status, Status::signaled);
    EXPECT_EQ(outcome.signal, SIGKILL);
    EXPECT_EQ(outcome.limit, "");
  }
}

// The limit of a batch system killed the command, and the outcome once said only that it was
// killed.
TEST(Conclude, NamesTheOuterCgroupWhoseLimitWasMet) {
  const auto told = [](const OuterKill& kill) {
    Supervised supervised;
    supervised.run.ending = Ending::exited;
    supervised.wait_status = SIGKILL;
    return conclude(supervised, Plan{}, RunFilter{}, HostFacts{}, {}, kill);
  };
  const Outcome named = told({.kills = 1, .directory = "/sys/fs/cgroup/job", .memory_bytes = 4096});
  EXPECT_EQ(named.status, Status::signaled);
  EXPECT_EQ(named.signal, SIGKILL);
  EXPECT_EQ(named.limit, "");
  EXPECT_EQ(named.error->message,
            "signal SIGKILL, which bawn did not send: the memory limit of an outer cgroup "
            "('/sys/fs/cgroup/job', 4096 bytes) was reached, and the kernel has killed 1 process "
            "for it since the run began");
  EXPECT_THAT(told({.kills = 2, .directory = "", .memory_bytes = {}}).error->message,
              HasSubstr("the machine, or a cgroup that bawn cannot read, was out of memory, and "
                        "the kernel has killed 2 processes"));
}

TEST(Conclude, BlamesNoOuterCgroupForWhatALimitOfTheRunOrTheCommandItselfDid) {
  const OuterKill kill{.kills = 1, .directory = "/sys/fs/cgroup/job", .memory_bytes = 4096};
  Supervised supervised;
  supervised.run.ending = Ending::exited;
  supervised.wait_status = SIGKILL;
  Plan plan;
  plan.limits.memory_bytes = 1 << 20;
  CgroupSummary record;
  record.counts = {.oom_kills = 1, .own_limit_met = 1};
  EXPECT_EQ(conclude(supervised, plan, RunFilter{}, HostFacts{}, record, kill).limit, "memory");
  supervised.wait_status = SIGTERM;
  EXPECT_EQ(conclude(supervised, Plan{}, RunFilter{}, HostFacts{}, {}, kill).error, std::nullopt);
  supervised.wait_status = SIGKILL;
  supervised.run.ending = Ending::cancelled;
  EXPECT_EQ(conclude(supervised, Plan{}, RunFilter{}, HostFacts{}, {}, kill).status,
            Status::cancelled);
}

// One row for each error of a step: what it says about the host, and whether the run may continue
// without namespaces.
TEST(Conclude, GivesUpNamespacesOnlyForAStepThatTheHostCannotDo) {
  using init::Step;
  NamespaceLimits many;
  many.fill(10000);
  const auto gives_up = [&](Step step, int error, const NamespaceLimits& limits) {
    init::Report failure;
    failure.step = step;
    failure.error = error;
    return !lack_of_namespaces(failure, limits).empty();
  };
  for (const Step step : {Step::read_namespaces, Step::become_user, Step::host_name,
                          Step::make_root, Step::change_root, Step::leave_old_root, Step::netns}) {
    for (const int error : {EPERM, EACCES, ENOSYS, EINVAL})
      EXPECT_TRUE(gives_up(step, error, many)) << static_cast<int>(step) << " " << error;
    for (const int error : {EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC, EUSERS, EIO, ESRCH, EINTR})
      EXPECT_FALSE(gives_up(step, error, many)) << static_cast<int>(step) << " " << error;
  }
  for (const Step step : {Step::base_mount, Step::mount}) {
    EXPECT_TRUE(gives_up(step, ENOSYS, many));
    for (const int error : {EPERM, EACCES, ENOENT, ENOMEM, ENOSPC})
      EXPECT_FALSE(gives_up(step, error, many));
  }
  for (const int error : {EPERM, EAGAIN, ENOMEM, ENOSPC, ENOSYS})
    for (const Step step : {Step::clone_command, Step::enter_cgroup, Step::seccomp, Step::execute})
      EXPECT_FALSE(gives_up(step, error, many)) << static_cast<int>(step) << " " << error;
}

TEST(Conclude, GivesUpNamespacesThatASysctlForbids) {
  const auto gives_up = [](init::Step step, std::string_view kind) {
    NamespaceLimits limits;
    limits.fill(10000);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      if (kNamespaceNames[i] == kind) limits[i] = 0;
    }
    init::Report failure;
    failure.step = step;
    failure.error = ENOSPC;
    return !lack_of_namespaces(failure, limits).empty();
  };
  EXPECT_TRUE(gives_up(init::Step::netns, "net"));
  EXPECT_FALSE(gives_up(init::Step::netns, "pid"));
  EXPECT_TRUE(gives_up(init::Step::clone_command, "cgroup"));
  EXPECT_TRUE(gives_up(init::Step::enter_cgroup, "cgroup"));
  EXPECT_FALSE(gives_up(init::Step::make_root, "mnt")) << "there it is a file system that is full";
}

TEST(Conclude, GivesUpACgroupOnlyForOneThatCannotBeEntered) {
  const auto gives_up = [](init::Step step, int error) {
    init::Report failure;
    failure.step = step;
    failure.error = error;
    return !lack_of_cgroup(failure).empty();
  };
  for (const int error : {EPERM, EACCES, EBUSY, EOPNOTSUPP})
    EXPECT_TRUE(gives_up(init::Step::enter_cgroup, error)) << error;
  for (const int error : {EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC, ESRCH, EIO})
    EXPECT_FALSE(gives_up(init::Step::enter_cgroup, error)) << error;
  EXPECT_FALSE(gives_up(init::Step::clone_command, EPERM));
}

// After init was killed, the receipt once said that init had ended the surviving processes and
// removed the directory.
TEST(Conclude, PromisesNothingInTheNameOfAnInitThatWasKilled) {
  Supervised supervised;
  supervised.start.emplace();
  supervised.run.ending = Ending::init_lost;
  supervised.init_gone = true;
  Plan plan;
  plan.tier = Tier::b;
  plan.by_boundary = LandlockPlan{};
  plan.private_name = "bawn-x";
  const Outcome outcome = conclude(supervised, plan, RunFilter{}, HostFacts{}, {});
  std::map<std::string, Enforcement> layers;
  for (const Enforcement& layer : outcome.enforcement) layers[layer.layer] = layer;
  const auto expect_absent = [&](const std::string& layer, const char* reason) {
    EXPECT_EQ(layers[layer], (Enforcement{layer, LayerState::absent, {{"reason", reason}}}));
  };
  expect_absent("process_tree",
                "the sandbox's init was killed; its surviving processes are no longer supervised");
  expect_absent("private_directory", "not removed: init was killed");
}

// The root may still not fit on hosts with large pages or with many settings.
TEST(Conclude, NamesTheLimitIfTheRootHasNoRoom) {
  Plan plan;
  test::root_of(plan).mounts.push_back(path_op(MountOpKind::mirror, "/etc/hosts", "system"));
  const auto hint = [&](int error) {
    return stopped_at(init::Step::base_mount, error, plan).error->hint;
  };
  EXPECT_THAT(hint(ENOSPC), HasSubstr("--tmp-size 16M (policy key: limits.tmp_bytes)"));
  EXPECT_EQ(hint(EACCES), "check that it still exists and that you may read it");
}

// The message once said that the directory must exist, but not which one.
TEST(Conclude, NamesADirectoryThatCannotBeEntered) {
  Plan plan;
  plan.cwd.path = "/work/closed";
  const auto told = [&](int error) {
    return *stopped_at(init::Step::change_directory, error, plan).error;
  };
  EXPECT_EQ(told(EACCES).message,
            "nothing ran: could not enter the working directory '/work/closed': Permission denied "
            "(EACCES)");
  EXPECT_THAT(told(EACCES).hint, HasSubstr("you may not enter it"));
  EXPECT_THAT(told(ENOENT).hint, HasSubstr("still exists"));
}

TEST(Conclude, SaysWhyAFileIsNoProgram) {
  Plan plan;
  plan.program.argv = {"./tool"};
  plan.program.file.path = "/work/tool";
  const auto told = [&](int error) {
    return stopped_at(init::Step::execute, error, plan).violations.at(0);
  };
  plan.program.file.size = 10;  // and no bytes to read
  EXPECT_EQ(told(ENOENT).message,
            "'/work/tool' cannot be executed: you may not read it, and a script must be read by "
            "its interpreter: No such file or directory (ENOENT)");
  EXPECT_EQ(told(ENOEXEC).hint, "check that the file is a program for this machine");
  plan.program.file = FileSystemLookup().locate("/etc/passwd");
  EXPECT_THAT(told(ENOEXEC).hint, HasSubstr("#!/bin/sh"));
  plan.program.file = FileSystemLookup().locate("/bin/sh");
  EXPECT_THAT(told(ENOENT).message, HasSubstr("the loader that it names is missing"));
  EXPECT_EQ(told(ENOEXEC).hint, "check that the file is a program for this machine");
}

}  // namespace
}  // namespace bawn::linux_
