#include "plan/git/git_hooks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "host/system_facts.h"
#include "plan/plan.h"
#include "plan/plan_parts.h"
#include "policy/policy.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class GitHooks : public testing::Test {
 protected:
  [[nodiscard]] PlanResult plan(Tier tier = Tier::c) const {
    const Request request{.command = "git"};
    const FakeLookup lookup(tree_);
    const Verdict verdict =
        validate(policy_, request, {.tier = tier, .lookup = &lookup, .workspace = "/work"});
    EXPECT_TRUE(verdict.allowed());
    HostFacts host = linux_facts();
    host.tier_c = true;
    host.landlock_abi = 6;
    host.seccomp_filters = true;
    host.private_parent = "/tmp";
    return test::planned(policy_, request, verdict, tier, {.run_id = "r", .private_name = "bawn-x"},
                         host, lookup);
  }
  [[nodiscard]] static std::vector<std::string> mounts(const PlanResult& result) {
    std::vector<std::string> out;
    for (const MountOp& op : test::root_of(result.plan).mounts) {
      if (op.origin == "workspace.git_hooks")
        out.push_back(concat(op.writable ? "rw " : "ro ", op.destination));
    }
    return out;
  }

  Policy policy_ = *preset("workspace");
  std::map<std::string, std::string> tree_{{"/tmp", "dir"},
                                           {"/work/.git/hooks", "dir"},
                                           {"/usr/bin/git", "exe"},
                                           {"/srv/other/.git/hooks", "dir"},
                                           {"/srv/bare/HEAD", "file"},
                                           {"/srv/bare/objects", "dir"},
                                           {"/srv/linked/.git", "own link:/srv/other/.git"}};
};

TEST_F(GitHooks, AreReadOnlyAndTheirDirectoryCannotBeMovedAway) {
  const PlanResult result = plan();
  EXPECT_THAT(result.violations, IsEmpty());
  EXPECT_THAT(mounts(result), ElementsAre("rw /work/.git", "ro /work/.git/hooks"));
}

TEST_F(GitHooks, AreProtectedInAWritableGrantToo) {
  policy_.filesystem.write = {"/srv/other"};
  EXPECT_THAT(mounts(plan()), ElementsAre("rw /srv/other/.git", "rw /work/.git",
                                          "ro /srv/other/.git/hooks", "ro /work/.git/hooks"));
}

TEST_F(GitHooks, AreProtectedWhereAGrantShowsThem) {
  policy_.filesystem.write = {{"/srv/other", "/data"}};
  EXPECT_THAT(mounts(plan()), testing::Contains("ro /data/.git/hooks"));
}

TEST_F(GitHooks, NeedNothingWhereTheCommandCannotWrite) {
  policy_.workspace.mode = WorkspaceMode::read_only;
  policy_.filesystem.read = {"/srv/other"};
  const PlanResult result = plan();
  EXPECT_THAT(mounts(result), IsEmpty());
  EXPECT_THAT(result.plan.git_hooks.protect, IsEmpty());
}

TEST_F(GitHooks, AreOpenIfThePolicySaysSo) {
  policy_.workspace.git_hooks = GitHooksMode::open;
  const PlanResult result = plan();
  EXPECT_THAT(mounts(result), IsEmpty());
  EXPECT_THAT(result.plan.git_hooks.open, ElementsAre("/work/.git/hooks"));
}

TEST_F(GitHooks, ThatAreMissingAreLookedForAfterTheRun) {
  policy_.filesystem.write = {"/srv/bare"};
  const PlanResult result = plan();
  EXPECT_THAT(result.violations, IsEmpty());
  EXPECT_THAT(result.plan.git_hooks.still_missing, ElementsAre("/srv/bare/hooks"));
}

TEST_F(GitHooks, AreNoReasonToRefuseARunThatCannotProtectThem) {
  const PlanResult result = plan(Tier::b);
  EXPECT_THAT(result.violations, IsEmpty());
  ASSERT_THAT(result.plan.git_hooks.unprotected, SizeIs(1));
  EXPECT_EQ(result.plan.git_hooks.unprotected[0].path, "/work/.git/hooks");
  EXPECT_THAT(result.plan.git_hooks.unprotected[0].why, HasSubstr("tier b"));
}

TEST_F(GitHooks, BehindALinkOfTheCommandsAreNotCalledProtected) {
  policy_.filesystem.write = {"/srv/linked"};
  policy_.workspace.mode = WorkspaceMode::read_only;
  EXPECT_THAT(plan().plan.git_hooks.protect, IsEmpty());
  policy_.filesystem.write = {"/srv"};
  tree_ = {{"/usr/bin/git", "exe"},
           {"/work/x", "dir"},
           {"/srv/.git", "own link:/srv/other/.git"},
           {"/srv/other/.git/hooks", "own link:elsewhere"},
           {"/srv/other/.git/elsewhere", "dir"}};
  const PlanResult result = plan();
  EXPECT_THAT(result.violations, IsEmpty());
  ASSERT_THAT(result.plan.git_hooks.unprotected, SizeIs(2));
  EXPECT_THAT(result.plan.git_hooks.unprotected[0].why, HasSubstr("/srv/other/.git/hooks"));
}

// The command could remove the file and make a repository in its place: the receipt said enforced.
TEST_F(GitHooks, OfARepositoryThatAFileNamesAreNotCalledProtectedAlone) {
  tree_ = {{"/usr/bin/git", "exe"}, {"/work/.git", "text:gitdir: g\n"}, {"/work/g/hooks", "dir"}};
  const PlanResult result = plan();
  EXPECT_THAT(result.plan.git_hooks.protect, SizeIs(1));
  ASSERT_THAT(result.plan.git_hooks.unprotected, SizeIs(1));
  EXPECT_EQ(result.plan.git_hooks.unprotected[0].path, "/work/.git");
  EXPECT_THAT(result.plan.git_hooks.unprotected[0].why, HasSubstr("can replace it"));
}

// As husky sets it: git never runs the hooks that are read-only then.
TEST_F(GitHooks, ThatAConfigurationNamesElsewhereAreCalledUnprotected) {
  tree_["/work/.git/config"] = "text:[core]\nhooksPath = .husky/_";
  const PlanResult result = plan();
  EXPECT_THAT(result.plan.git_hooks.protect, SizeIs(1));
  ASSERT_THAT(result.plan.git_hooks.unprotected, SizeIs(1));
  EXPECT_EQ(result.plan.git_hooks.unprotected[0].path, "/work/.git/config");
  EXPECT_THAT(result.plan.git_hooks.unprotected[0].why, HasSubstr("core.hooksPath"));
  tree_["/work/.git/config"] = "text:[core]\nbare = false";
  EXPECT_THAT(plan().plan.git_hooks.unprotected, IsEmpty());
}

TEST_F(GitHooks, ThatAreHiddenOrProtectedAlreadyGetNoSecondMount) {
  policy_.workspace.protect = {".git"};
  const PlanResult result = plan();
  EXPECT_THAT(result.violations, IsEmpty());
  EXPECT_THAT(mounts(result), testing::Not(testing::Contains("ro /work/.git/hooks")));
}

TEST_F(GitHooks, AreProtectedByEveryPresetButDisabled) {
  for (const std::string_view name : preset_names()) {
    const GitHooksMode expected = name == "disabled" ? GitHooksMode::open : GitHooksMode::protect;
    EXPECT_EQ(preset(name)->workspace.git_hooks, expected) << name;
    EXPECT_EQ(preset(name)->workspace.handoff, name != "disabled") << name;
  }
}

}  // namespace
}  // namespace bawn
