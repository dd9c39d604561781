#include "validate/planted_link.h"

#include <gtest/gtest.h>

#include "fake_lookup.h"
#include "policy/policy.h"
#include "validate/validate.h"

namespace bawn {
namespace {

constexpr std::string_view kHome = "/home/me";

bool is_planted(const std::string& path, LinkMaker maker) {
  return may_be_planted({path, maker}, kHome);
}

TEST(PlantedLink, IsOneThatARunOrAStrangerCanHaveMade) {
  EXPECT_TRUE(is_planted("/home/me/repo/pkg", LinkMaker::caller));
  EXPECT_TRUE(is_planted("/tmp/pkg", LinkMaker::caller));
  EXPECT_TRUE(is_planted("/srv/pkg", LinkMaker::stranger));
  EXPECT_FALSE(is_planted("/srv/pkg", LinkMaker::administrator));
}

// A run that could write there would not need a link.
TEST(PlantedLink, IsNoneOfTheHomeItselfOrOfATopDirectory) {
  EXPECT_FALSE(is_planted("/home/me/work", LinkMaker::caller));
  EXPECT_TRUE(is_planted("/home/me/work", LinkMaker::stranger));
  EXPECT_TRUE(is_planted("/home/me/work/a", LinkMaker::caller));
  EXPECT_TRUE(is_planted("/home/mean/work", LinkMaker::caller));
  for (const std::string path :
       {"/bin", "/var/run", "/etc/mtab", "/run/lock", "/usr/tmp", "/usr/local/man"}) {
    EXPECT_FALSE(is_planted(path, LinkMaker::caller)) << path << ": root is the caller";
    EXPECT_FALSE(is_planted(path, LinkMaker::stranger)) << path << ": root has no number here";
  }
  EXPECT_TRUE(is_planted("/var/www/pkg", LinkMaker::caller));
}

TEST(PlantedLink, IsTheFirstOnTheWay) {
  const FakeLookup lookup{{"/bin", "link:usr/bin"},
                          {"/usr/bin/git", "exe"},
                          {"/srv/a", "link:/srv/b"},
                          {"/srv/b", "own link:/srv/c"},
                          {"/srv/c", "stranger's link:/srv/d"},
                          {"/srv/d", "dir"}};
  EXPECT_EQ(planted_link(lookup.locate("/bin/git"), kHome), nullptr);
  EXPECT_EQ(planted_link(lookup.locate("/srv/d"), kHome), nullptr);
  const Located found = lookup.locate("/srv/a");
  const PassedLink* link = planted_link(found, kHome);
  ASSERT_NE(link, nullptr);
  EXPECT_EQ(described(*link), "the link '/srv/b', which an earlier run can have put there");
  EXPECT_EQ(described({"/srv/c", LinkMaker::stranger}),
            "the link '/srv/c', which belongs to another user");
}

// Run 1 turned repo/pkg into a link to ~/.ssh, and run 2 had repo/pkg as its workspace or as a
// grant.
class Named : public testing::TestWithParam<Tier> {
 protected:
  [[nodiscard]] std::vector<std::string> refused(const std::string& workspace,
                                                 const Policy& policy) const {
    const FakeLookup lookup{{"/home/me/repo/pkg", "own link:/home/me/.ssh"},
                            {"/home/me/.ssh", "dir"},
                            {"/home/me/work", "own link:/data"},
                            {"/srv/theirs", "stranger's link:/data"},
                            {"/data/pkg", "dir"},
                            {"/usr/bin/git", "exe"}};
    const Verdict verdict = validate(policy, {.command = "git"},
                                     {.tier = GetParam(),
                                      .lookup = &lookup,
                                      .workspace = workspace,
                                      .home = std::string(kHome)});
    std::vector<std::string> out;
    for (const Violation& violation : verdict.violations) {
      out.push_back(violation.code);
      EXPECT_NE(violation.hint.find("/.ssh "), violation.hint.find("/data "))
          << "the real path is told";
    }
    return out;
  }

  using Codes = std::vector<std::string>;
  Policy policy_{.executables = {.allow_all = true}};
};

TEST_P(Named, ByAPlantedLinkAWorkspaceIsRefused) {
  EXPECT_EQ(refused("/home/me/repo/pkg", policy_), Codes{"workspace.link"});
  EXPECT_EQ(refused("/srv/theirs", policy_), Codes{"workspace.link"});
  for (const std::string workspace :
       {"/home/me/.ssh", "/home/me/work", "/home/me/work/pkg", "/data/pkg"})
    EXPECT_EQ(refused(workspace, policy_), Codes{}) << workspace;
}

TEST_P(Named, ByAPlantedLinkAGrantIsRefused) {
  for (auto* grants : {&policy_.filesystem.read, &policy_.filesystem.write}) {
    *grants = {"/home/me/repo/pkg"};
    EXPECT_EQ(refused("/data/pkg", policy_), Codes{"grant.link"});
    *grants = {"/home/me/.ssh", "/home/me/work"};
    EXPECT_EQ(refused("/data/pkg", policy_), Codes{});
    grants->clear();
  }
}

INSTANTIATE_TEST_SUITE_P(Tiers, Named, testing::Values(Tier::b, Tier::c));

}  // namespace
}  // namespace bawn
