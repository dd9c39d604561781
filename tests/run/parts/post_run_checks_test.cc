#include "run/record/post_run_checks.h"

#include <gtest/gtest.h>

#include "validate/fake_lookup.h"

namespace bawn {
namespace {

Violations created(const std::vector<std::string>& still_missing, const FakeLookup& lookup) {
  Plan plan;
  plan.still_missing = still_missing;
  Outcome outcome;
  report_created(plan, lookup, outcome);
  return outcome.violations;
}

TEST(PostRunChecks, TakesAPromiseBackWhereItStands) {
  Outcome outcome;
  outcome.enforcement = {{"network", LayerState::enforced, {{"isolated", true}}},
                         {"process_tree", LayerState::enforced, {{"in_job", true}}}};
  admit(outcome, "process_tree", "some of it lives");
  const std::vector<Enforcement> expected = {
      {"network", LayerState::enforced, {{"isolated", true}}},
      {"process_tree", LayerState::absent, {{"reason", "some of it lives"}}}};
  EXPECT_EQ(outcome.enforcement, expected);
}

TEST(PostRunChecks, TellsALackThatNothingHadPromisedToo) {
  Outcome outcome;
  admit(outcome, "private_directory", "not removed");
  const std::vector<Enforcement> expected = {
      {"private_directory", LayerState::absent, {{"reason", "not removed"}}}};
  EXPECT_EQ(outcome.enforcement, expected);
}

TEST(CreatedNames, OnlyThoseThatAreThereAreReported) {
  const FakeLookup lookup{{"/work/.git/config", "file"}, {"/work/.git/hooks", "dir"}};
  const Violations violations =
      created({"/work/.envrc", "/work/.git/hooks", "/work/none/below"}, lookup);
  ASSERT_EQ(violations.size(), 1U);
  EXPECT_EQ(violations[0].code, "workspace.protected_created");
  EXPECT_EQ(violations[0].subject, "/work/.git/hooks");
  EXPECT_EQ(violations[0].message,
            "the command created '/work/.git/hooks', which the policy protects");
}

TEST(CreatedNames, OneThatCannotBeLookedAtIsReported) {
  EXPECT_EQ(created({"/work/.envrc"}, FakeLookup{{"/work/.envrc", "denied"}}).size(), 1U);
  EXPECT_EQ(created({"/work/shut/.envrc"}, FakeLookup{{"/work/shut", "denied"}}).size(), 1U);
}

// A dangling link was once taken for a missing name. The protected name then led to whatever file
// was created at its target later.
TEST(CreatedNames, OneThatHasBecomeALinkToNothingIsReported) {
  const Violations link = created({"/work/.envrc"}, FakeLookup{{"/work/.envrc", "link:later"}});
  ASSERT_EQ(link.size(), 1U);
  EXPECT_EQ(link[0].code, "workspace.protected_created");
  EXPECT_EQ(link[0].subject, "/work/.envrc");
  EXPECT_EQ(link[0].message,
            "the command made '/work/.envrc', which the policy protects, lead to '/work/later'");
  EXPECT_EQ(created({"/work/.git/hooks"}, FakeLookup{{"/work/.git", "link:/work/later"}}).size(),
            1U);
}

}  // namespace
}  // namespace bawn
