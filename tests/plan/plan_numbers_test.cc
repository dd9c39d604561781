// Single values of a plan whose loss no other test would notice.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "host/system_facts.h"
#include "plan/plan.h"
#include "plan/plan_parts.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using test::planned;
using test::root_of;

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class PlanNumbers : public testing::Test {
 protected:
  PlanNumbers() {
    policy.executables.allow = {"git"};
    policy.limits.processes = {};
    host.seccomp_filters = true;
    host.landlock_abi = 6;
    identity = {.run_id = "run-1", .private_name = "bawn-x", .home = "/home/me"};
  }

  [[nodiscard]] Plan plan(const FakeLookup& lookup = tree()) const {
    const Request request{.command = "git"};
    const Verdict verdict =
        validate(policy, request, {.tier = Tier::c, .lookup = &lookup, .workspace = "/work"});
    EXPECT_TRUE(verdict.allowed());
    PlanResult result = planned(policy, request, verdict, Tier::c, identity, host, lookup, limits);
    EXPECT_THAT(result.violations, IsEmpty());
    return result.plan;
  }

  static FakeLookup tree() {
    return FakeLookup({{"/work/sub/file", "file"},
                       {"/work/sub/other", "file"},
                       {"/work/apart", "file"},
                       {"/usr/bin/git", "exe"},
                       {"/home/me", "dir"},
                       {"/home/me:root:x", "dir"},
                       {"/home/two\nlines", "dir"},
                       {"/proc", "dir"}});
  }

  // The read-only mounts with this origin, in order.
  [[nodiscard]] std::vector<std::string> from(std::string_view origin) const {
    std::vector<std::string> places;
    const Plan made = plan();
    for (const MountOp& op : root_of(made).mounts) {
      if (op.origin == origin && !op.writable) places.push_back(op.destination);
    }
    return places;
  }

  [[nodiscard]] std::string text_of(std::string_view place) const {
    const Plan made = plan();
    for (const MountOp& op : root_of(made).mounts) {
      if (op.destination == place) return op.content;
    }
    return "";
  }

  [[nodiscard]] Limit limit_in_plan(ProcessLimit wanted) const {
    for (const LimitPlan& limit : plan().process_limits) {
      if (limit.limit == wanted) return limit.value;
    }
    return {};
  }

  Policy policy = *preset("agent");
  HostFacts host = linux_facts();
  LimitFacts limits;
  RunIdentity identity;
};

// The rlimit of each process is a second above the limit of the tree, in whole seconds, so that the
// supervisor, which measures the tree, acts first.
TEST_F(PlanNumbers, TheBackstopOfCpuTimeIsAboveTheLimitAndNotFarAbove) {
  for (const auto& [limit_ms, seconds] :
       {std::pair{1U, 2U}, {999U, 2U}, {1000U, 3U}, {1999U, 3U}, {120'000U, 122U}}) {
    policy.limits.cpu_time_ms = limit_ms;
    EXPECT_EQ(limit_in_plan(ProcessLimit::cpu_seconds), Limit(seconds)) << limit_ms;
  }
  policy.limits.cpu_time_ms = {};
  EXPECT_EQ(limit_in_plan(ProcessLimit::cpu_seconds), Limit());
}

// In its user namespace only the run's processes and init count. The kernel does not limit root's
// processes.
TEST_F(PlanNumbers, TheLimitOfProcessesIsTheRunsAndInits) {
  policy.limits.processes = 10;
  host.uid = host.gid = 1000;
  limits.user_tasks = 500;
  EXPECT_EQ(limit_in_plan(ProcessLimit::processes), Limit(11));
  host.uid = host.gid = 0;
  policy.limits.optional = {"processes"};
  EXPECT_EQ(limit_in_plan(ProcessLimit::processes), Limit());
  ASSERT_EQ(plan().absent_limits.size(), 1U);
  EXPECT_EQ(plan().absent_limits[0].name, "processes");
}

// A command without a sandbox keeps ambient capabilities; a confined one has none.
TEST_F(PlanNumbers, TheLimitOfProcessesDoesNotBindACommandThatKeepsTheExemption) {
  policy = *preset("disabled");
  policy.limits.processes = 10;
  const FakeLookup lookup = tree();
  const auto codes_with = [&](std::uint64_t bits, Tier tier) {
    host.uid = host.gid = 1000;
    host.process_limit_binds = true;
    host.capabilities = CapabilitySet(bits);
    const Request request{.command = "git"};
    const Verdict verdict =
        validate(policy, request, {.tier = tier, .lookup = &lookup, .workspace = "/work"});
    std::string codes;
    for (const Violation& violation :
         planned(policy, request, verdict, tier, identity, host, lookup).violations)
      codes += violation.code + " ";
    return codes;
  };
  for (const int exempting : {21, 24}) {
    const std::uint64_t bit = std::uint64_t{1} << exempting;
    EXPECT_THAT(codes_with(bit, Tier::unconfined), HasSubstr("limit.unenforceable")) << exempting;
    EXPECT_THAT(codes_with(bit, Tier::b), Not(HasSubstr("limit.unenforceable"))) << exempting;
    EXPECT_THAT(codes_with(~bit & 0xff, Tier::unconfined), Not(HasSubstr("limit.unenforceable")));
  }
}

// A colon or a newline in the home would add fields or users to the run's /etc/passwd.
TEST_F(PlanNumbers, AHomeThatDoesNotFitIntoPasswdIsAnotherOne) {
  EXPECT_EQ(root_of(plan()).home, "/home/me");
  EXPECT_THAT(text_of("/etc/passwd"), HasSubstr("::/home/me:/bin/sh\n"));
  for (const char* home :
       {"/home/me:root:x", "/home/two\nlines", "relative", "", "/home/missing", "/usr"}) {
    identity.home = home;
    EXPECT_EQ(root_of(plan()).home, "/home/user") << home;
    EXPECT_THAT(text_of("/etc/passwd"), HasSubstr("::/home/user:/bin/sh\n")) << home;
  }
}

// A bind mount over a hidden path would show it again.
TEST_F(PlanNumbers, WhatIsHiddenIsNotShownForBeingProtectedToo) {
  policy.workspace.protect = {"sub/file", "apart"};
  EXPECT_THAT(from("workspace.protect"), ElementsAre("/work/apart", "/work/sub/file"));
  policy.workspace.hide = {"sub"};
  EXPECT_THAT(from("workspace.protect"), ElementsAre("/work/apart"));
  EXPECT_THAT(from("workspace.hide"), ElementsAre("/work/sub"));
  policy.workspace.hide = {"sub/file"};
  EXPECT_THAT(from("workspace.protect"), ElementsAre("/work/apart")) << "the same file";
  EXPECT_THAT(from("workspace.hide"), ElementsAre("/work/sub/file"));
  policy.workspace.hide = {"sub/other"};
  EXPECT_THAT(from("workspace.protect"), ElementsAre("/work/apart", "/work/sub/file"))
      << "a neighbour";
}

// Workspaces, grants and homes at paths that the root or the system uses.
class PlacesOfTheSystem : public PlanNumbers {
 protected:
  [[nodiscard]] PlanResult plan_in(const std::string& workspace) const {
    const FakeLookup lookup({{"/work", "dir"},
                             {"/usr/bin/git", "exe"},
                             {"/srv/a/b", "dir"},
                             {"/dev/x", "dir"},
                             {"/proc/x", "dir"},
                             {"/etc/x", "dir"},
                             {"/run/x", "dir"},
                             {"/sys/x", "dir"},
                             {"/opt/x", "dir"}});
    const Request request{.command = "git"};
    const Verdict verdict =
        validate(policy, request, {.tier = Tier::c, .lookup = &lookup, .workspace = workspace});
    return planned(policy, request, verdict, Tier::c, identity, host, lookup);
  }

  [[nodiscard]] std::vector<std::string> codes(const std::string& workspace) const {
    std::vector<std::string> out;
    for (const Violation& violation : plan_in(workspace).violations) out.push_back(violation.code);
    return out;
  }
};

// The run gets a new /proc. The host's has the host's processes and settings in it, at any depth.
TEST_F(PlacesOfTheSystem, NothingOfTheHostsProcIsGranted) {
  policy.filesystem.read = {"/srv"};
  EXPECT_THAT(codes("/work"), IsEmpty());
  for (const char* path : {"/", "/proc", "/proc/x"}) {
    policy.filesystem.read = {path};
    EXPECT_THAT(codes("/work"), ElementsAre("grant.system")) << path;
  }
}

// A kernel without Landlock is reported in the receipt. If the kernel gives an unexpected error
// instead, nothing runs.
TEST_F(PlacesOfTheSystem, AreNotPlannedWhereTheKernelDoesNotSayWhetherItHasLandlock) {
  host.landlock_abi = 0;
  EXPECT_THAT(codes("/work"), IsEmpty());
  host.landlock_error = 5;
  EXPECT_THAT(codes("/work"), ElementsAre("tier.unavailable"));
}

TEST_F(PlacesOfTheSystem, NoneIsAWorkspaceOrAHome) {
  EXPECT_THAT(codes("/srv"), IsEmpty());
  for (const char* place : {"/", "/dev", "/dev/x", "/proc", "/proc/x", "/etc", "/etc/x", "/run",
                            "/run/x", "/sys", "/sys/x", "/opt", "/opt/x", "/usr"}) {
    EXPECT_THAT(codes(place), Contains("workspace.system")) << place;
    identity.home = place;
    EXPECT_EQ(root_of(plan_in("/work").plan).home, "/home/user") << place;
  }
  identity.home = "/srv/a";
  EXPECT_EQ(root_of(plan_in("/work").plan).home, "/srv/a");
}

// A read-only workspace inside of a writable grant. If the command could rename the directory above
// it, another workspace could take its path.
TEST_F(PlacesOfTheSystem, TheWayToAReadOnlyWorkspaceIsPinned) {
  policy.filesystem.write = {"/srv"};
  const auto is_pinned = [&] {
    const PlanResult result = plan_in("/srv/a/b");
    EXPECT_THAT(result.violations, IsEmpty());
    return std::any_of(
        root_of(result.plan).mounts.begin(), root_of(result.plan).mounts.end(),
        [](const MountOp& op) { return op.destination == "/srv/a" && op.origin == "workspace"; });
  };
  EXPECT_FALSE(is_pinned());
  policy.workspace.mode = WorkspaceMode::read_only;
  EXPECT_TRUE(is_pinned());
}

}  // namespace
}  // namespace bawn
