#include "policy/policy_check.h"

#include <gtest/gtest.h>

#include "policy/preset.h"

namespace bawn {
namespace {

Policy agent() { return *preset("agent"); }

std::vector<std::string> faulted(const Policy& policy) {
  std::vector<std::string> out;
  for (const json::Problem& problem : check_policy(policy)) {
    EXPECT_FALSE(problem.message.empty());
    out.push_back(problem.where);
  }
  return out;
}

using Paths = std::vector<std::string>;

TEST(PolicyCheck, FindsNothingInAGoodPolicy) {
  Policy policy = agent();
  policy.workspace.root = "/srv/project";
  policy.workspace.hide = {".env", "/srv/project/secrets"};
  policy.executables.allow = {"git", "/usr/bin/true"};
  policy.egress.hosts = {{"example.com", 443}, {"::1", 0}};
  policy.egress.dns_suffixes = {"example.org"};
  policy.environment.set = {{"EMPTY", ""}};
  EXPECT_EQ(faulted(policy), Paths{});
}

TEST(PolicyCheck, AFixedTierMustReachTheFloor) {
  Policy policy = agent();
  policy.tier = {TierChoice::b, Tier::c};
  EXPECT_EQ(faulted(policy), Paths{"tier.use"});
  policy.tier = {TierChoice::unconfined, Tier::b};
  EXPECT_EQ(faulted(policy), Paths{"tier.use"});
  policy.tier = {TierChoice::c, Tier::c};
  EXPECT_EQ(faulted(policy), Paths{});
  policy.tier = {TierChoice::automatic, Tier::c};
  EXPECT_EQ(faulted(policy), Paths{});
}

TEST(PolicyCheck, APrivateWorkspaceHasNoRootAndNothingToHide) {
  Policy policy = agent();
  policy.workspace.root = "/srv/project";
  policy.workspace.hide = {".env"};
  policy.workspace.protect = {".git"};
  EXPECT_EQ(faulted(policy), Paths{});
  policy.workspace.mode = WorkspaceMode::private_dir;
  EXPECT_EQ(faulted(policy), (Paths{"workspace.root", "workspace.hide", "workspace.protect"}));
}

TEST(PolicyCheck, HiddenPathsLieBelowTheRootByWholeComponents) {
  Policy policy = agent();
  policy.workspace.root = "/work";
  policy.workspace.hide = {"/work/secret"};
  EXPECT_EQ(faulted(policy), Paths{});
  policy.workspace.hide = {"/work-evil/secret"};
  EXPECT_EQ(faulted(policy), Paths{"workspace.hide"});
  policy.workspace.hide = {"/work"};
  EXPECT_EQ(faulted(policy), Paths{"workspace.hide"});
}

TEST(PolicyCheck, HostsNeedAModeThatLooksAtThem) {
  Policy policy = agent();
  policy.egress.hosts = {{"example.com", 0}};
  policy.egress.dns_suffixes = {"example.org"};
  for (const EgressMode mode : {EgressMode::strict, EgressMode::preflight}) {
    policy.egress.mode = mode;
    EXPECT_EQ(faulted(policy), Paths{});
  }
  for (const EgressMode mode : {EgressMode::allow_all, EgressMode::block_all}) {
    policy.egress.mode = mode;
    EXPECT_EQ(faulted(policy), (Paths{"egress.hosts", "egress.dns_suffixes"}));
  }
}

TEST(PolicyCheck, OnePlaceOfTheRunShowsOneThing) {
  Policy policy = *preset("agent");
  policy.filesystem.read = {"/a", {"/b", "/data"}};
  policy.filesystem.write = {"/a", {"/c", "/out"}};
  EXPECT_TRUE(check_policy(policy).empty()) << "/a in both lists is one thing";
  policy.filesystem.write = {{"/c", "/data"}};
  ASSERT_EQ(check_policy(policy).size(), 1U);
  EXPECT_EQ(check_policy(policy)[0].where, "filesystem.write");
  EXPECT_EQ(check_policy(policy)[0].message,
            "'/c' at '/data' and '/b' at '/data' would be at the same place");
  policy.filesystem.write = {{"/c", "/a"}};
  EXPECT_EQ(check_policy(policy).size(), 1U);
  policy.filesystem.write = {{"/b", "/data"}};
  EXPECT_EQ(check_policy(policy).size(), 1U) << "read-only or writable, not both";
}

TEST(PolicyCheck, ADestinationIsAnAbsoluteTidyPathBelowTheRoot) {
  Policy policy = *preset("agent");
  const std::string longest = "/" + std::string(255, 'x');
  policy.filesystem.read = {{"/a", longest}};
  EXPECT_TRUE(check_policy(policy).empty());
  for (const std::string& bad : {std::string("/"), std::string("data"), std::string("/data/"),
                                 std::string("/a/../b"), std::string("/a//b"), longest + "x"}) {
    policy.filesystem.read = {{"/a", bad}};
    const auto problems = check_policy(policy);
    ASSERT_EQ(problems.size(), 1U) << bad;
    EXPECT_EQ(problems[0].where, "filesystem.read[0].at") << bad;
  }
}

TEST(PolicyCheck, ASizeNeedsADirectory) {
  Policy policy = agent();
  policy.limits.tmp_bytes = 1 << 20;
  EXPECT_EQ(faulted(policy), Paths{});
  policy.filesystem.tmp = Tmp::none;
  EXPECT_EQ(faulted(policy), Paths{"limits.tmp_bytes"});
}

TEST(PolicyCheck, ABudgetNeedsACgroupThatHasIt) {
  Policy policy = agent();
  policy.limits.total_memory_bytes = 1 << 30;
  policy.limits.total_processes = 100;
  EXPECT_EQ(faulted(policy), (Paths{"limits.total_memory_bytes", "limits.total_processes"}));
  policy.limits.cgroup_parent = "/sys/fs/cgroup/runs";
  EXPECT_EQ(faulted(policy), Paths{});
}

TEST(PolicyCheck, TheHostIdsMustBeIds) {
  Policy policy = agent();
  policy.identity.first_host_id = 0xfffffff0;
  policy.identity.host_id_count = 15;
  EXPECT_EQ(faulted(policy), Paths{});
  policy.identity.host_id_count = 16;
  EXPECT_EQ(faulted(policy), Paths{"identity.host_id_count"});
  policy.identity = {.first_host_id = 0, .host_id_count = 0};
  EXPECT_EQ(faulted(policy), (Paths{"identity.first_host_id", "identity.host_id_count"}));
}

TEST(PolicyCheck, BackgroundRunsNeedALifetime) {
  Policy policy = agent();
  policy.background = {.processes = 1, .lifetime_ms = 0, .output_bytes = 1};
  EXPECT_EQ(faulted(policy), Paths{"background.lifetime_ms"});
  policy.background.processes = 0;
  EXPECT_EQ(faulted(policy), Paths{});
}

TEST(PolicyCheck, ReportsEveryValueThatAFileCouldNotHold) {
  Policy policy = agent();
  policy.workspace.root = "relative";
  policy.filesystem.read = {"/a", "/a"};
  policy.executables.allow = {"git status"};
  policy.executables.sha256 = {{"git", "abc"}};
  policy.environment.pass = {"A=B"};
  policy.egress.hosts = {{"EXAMPLE.com", 0}, {"a:443", 0}, {"127.1", 0}};
  policy.limits.memory_bytes = 1;
  policy.limits.wall_time_ms = 0;
  policy.background.processes = 4096;
  EXPECT_EQ(faulted(policy),
            (Paths{"workspace.root", "filesystem.read[1]", "executables.allow[0]",
                   "executables.sha256.git", "environment.pass[0]", "egress.hosts[1]",
                   "egress.hosts[0]", "egress.hosts[2]", "limits.wall_time_ms",
                   "limits.memory_bytes", "background.processes"}));
}

}  // namespace
}  // namespace bawn
