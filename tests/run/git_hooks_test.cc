#include <gmock/gmock.h>

#include <filesystem>

#include "fixture.h"
#include "outcome/outcome.h"
#include "policy/workspace_policy.h"

namespace bawn {
namespace {

class GitHooksRun : public testing::Test {
 protected:
  GitHooksRun() {
    std::filesystem::create_directories(hooks_);
    hook_ = fixture_.file(hooks_, "pre-commit");
    head_ = fixture_.file(git_, "HEAD");
  }

  RunFixture fixture_;
  std::string git_ = fixture_.workspace() + "/.git";
  std::string hooks_ = git_ + "/hooks";
  std::string hook_;
  std::string head_;
};

TEST_F(GitHooksRun, CannotBeWrittenInTierCAndAreCalledWritableInTierB) {
  const bool protects = fixture_tier() == Tier::c;
  const Outcome outcome = fixture_.run({"write", hook_});
  EXPECT_EQ(said(outcome), protects ? "EROFS" : "ok");
  EXPECT_EQ(layer_state(outcome, "git_hooks"),
            protects ? LayerState::enforced : LayerState::absent);
  EXPECT_TRUE(layer_has(outcome, "git_hooks",
                        {protects ? "read_only" : "writable", std::vector<std::string>{hooks_}}));
  EXPECT_EQ(said(fixture_.run({"write", head_})), "ok") << "the rest of the repository";
}

TEST_F(GitHooksRun, CannotBeReplacedByMovingTheirDirectoryInTierC) {
  const bool protects = fixture_tier() == Tier::c;
  EXPECT_EQ(said(fixture_.run({"create", hooks_ + "/post-commit"})), protects ? "EROFS" : "ok");
  EXPECT_EQ(said(fixture_.run({"rename", hooks_, git_ + "/elsewhere"})), protects ? "EBUSY" : "ok");
  EXPECT_EQ(said(fixture_.run({"rename", git_, fixture_.workspace() + "/elsewhere"})),
            protects ? "EBUSY" : "ok");
}

TEST_F(GitHooksRun, CanBeWrittenIfThePolicyOpensThem) {
  FixturePolicy policy = fixture_policy();
  policy.workspace.git_hooks = GitHooksMode::open;
  const Outcome outcome = fixture_.run(policy, {"write", hook_});
  EXPECT_EQ(said(outcome), "ok");
  EXPECT_EQ(layer_state(outcome, "git_hooks"), LayerState::not_requested);
}

TEST_F(GitHooksRun, ThatAreMissingAreReportedInTierCIfTheCommandMakesThem) {
  std::filesystem::remove_all(hooks_);
  const bool protects = fixture_tier() == Tier::c;
  const Outcome quiet = fixture_.run({"exit", "0"});
  EXPECT_TRUE(quiet.violations.empty());
  EXPECT_EQ(layer_state(quiet, "git_hooks"), protects ? LayerState::partial : LayerState::absent);
  const Outcome outcome = fixture_.run({"symlink", "later", hooks_});
  EXPECT_EQ(said(outcome), "ok");
  ASSERT_EQ(outcome.violations.size(), protects ? 1U : 0U) << outcome_json(outcome);
  if (!protects) return;
  EXPECT_EQ(outcome.violations[0].subject, hooks_);
}

TEST_F(GitHooksRun, SayNothingWhereThereIsNoRepository) {
  std::filesystem::remove_all(git_);
  for (const Enforcement& layer : fixture_.run({"exit", "0"}).enforcement)
    EXPECT_NE(layer.layer, "git_hooks");
}

}  // namespace
}  // namespace bawn
