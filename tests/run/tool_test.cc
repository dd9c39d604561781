// The caller's PATH brings tools into a run in tier c, and the policy chooses the run's filter.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "fixture.h"
#include "policy/executables_policy.h"
#include "policy/filesystem_policy.h"
#include "policy/policy.h"

namespace bawn {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

// A home with a tool of a version manager, a tool that belongs to none, and secrets beside both.
class ToolTest : public testing::Test {
 protected:
  ToolTest() {
    policy_.executables = {.allow_all = true, .interpreters = true, .caller_path = true};
    script("/.nvm/versions/v1/bin/tool", "#!/bin/sh\ncat \"${0%/*}/../lib/part\"\n");
    write("/.nvm/versions/v1/lib/part", "found its part\n");
    script("/bin/lonely", "#!/bin/sh\ncat \"${0%/*}/../beside\" || echo alone\n");
    write("/beside", "secret");
    write("/.token", "secret");
  }

  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(home() + path).parent_path());
    std::ofstream(home() + path) << text;
  }
  void script(const std::string& path, const std::string& text) const {
    write(path, text);
    chmod((home() + path).c_str(), 0755);
  }

  [[nodiscard]] const std::string& home() const { return fixture_.outside(); }

  [[nodiscard]] Outcome run(const std::string& command, std::vector<std::string> args = {}) const {
    return bawn::run(
        policy_, {.command = command, .args = std::move(args)},
        {.workspace = fixture_.workspace(), .caller_env = [this](std::string_view name) {
           return name == "HOME"   ? std::optional(home())
                  : name == "PATH" ? std::optional(path_)
                                   : std::nullopt;
         }});
  }

  RunFixture fixture_;
  std::string path_ = home() + "/.nvm/versions/v1/bin:" + home() + "/bin:relative:/nowhere";
  FixturePolicy policy_ = fixture_policy();
};

TEST_F(ToolTest, WorksWithWhatBelongsToIt) {
  EXPECT_EQ(said(run("tool")), "found its part");
  EXPECT_EQ(said(run("sh", {"-c", "tool"})), "found its part") << "by PATH inside as well";
}

TEST_F(ToolTest, WithoutAVersionManagerIsShownWithItsDirectoryAlone) {
  EXPECT_EQ(said(run("lonely")), "alone");
}

TEST_F(ToolTest, ShowsNothingElseOfTheHomeAndNothingWritable) {
  EXPECT_THAT(said(run("sh", {"-c", "ls -A ~"})), Not(HasSubstr(".token")));
  EXPECT_EQ(said(run("sh", {"-c", "touch ~/.nvm/mine 2>/dev/null || echo refused"})), "refused");
  EXPECT_FALSE(std::filesystem::exists(home() + "/.nvm/mine"));
}

// A PATH directory around the home was once bind-mounted like any other, together with the real
// home.
TEST_F(ToolTest, OnThePathAroundTheHomeShowsNothingOfIt) {
  const std::string around = std::filesystem::path(home()).parent_path();
  path_ = around + ":" + home();
  EXPECT_EQ(said(run("sh", {"-c", "cat ~/.token 2>/dev/null || echo none"})), "none");
  EXPECT_EQ(said(run("sh", {"-c", "ls -A ~"})), "");
  policy_.filesystem.read = {around};
  EXPECT_EQ(said(run("sh", {"-c", "cat ~/.token"})), "secret") << "a grant says that it is meant";
}

TEST_F(ToolTest, IsNotThereUnlessThePolicySaysSo) {
  policy_.executables.caller_path = false;
  const Outcome outcome = run("tool");
  ASSERT_FALSE(outcome.violations.empty()) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].code, "executable.not_found");
  EXPECT_EQ(said(run("sh", {"-c", "ls -A ~"})), "");
}

TEST(SeccompProfile, IsTheOneThatThePolicyNames) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  const std::string own = fixture.outside() + "/profile.json";
  std::ofstream(own)
      << R"({"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_NATIVE"],
    "syscalls": [{"names": ["socket"], "action": "SCMP_ACT_ERRNO", "errnoRet": 95}]})";
  const std::vector<std::string> share = {"share-memory"};
  const std::vector<std::string> socket = {"socket", "2"};
  EXPECT_EQ(said(fixture.run(policy, share)), "ok");
  EXPECT_EQ(said(fixture.run(policy, socket)), "ok");
  policy.system_calls.profile = "strict";
  EXPECT_EQ(said(fixture.run(policy, share)), "ENOSYS");
  const Outcome strict = fixture.run(policy, {"exit", "0"});
  EXPECT_THAT(layer_text(strict, "system_calls", "filter"), StartsWith("strict"));
  policy.system_calls.profile = own;
  EXPECT_EQ(said(fixture.run(policy, share)), "ok");
  EXPECT_EQ(said(fixture.run(policy, socket)), "EOPNOTSUPP");
  const Outcome named = fixture.run(policy, {"exit", "0"});
  EXPECT_THAT(layer_text(named, "system_calls", "filter"), HasSubstr(own));
}

TEST(SeccompProfile, ThatCannotBeReadMeansThatNothingRuns) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.system_calls.profile = fixture.outside() + "/absent.json";
  const std::string observer = fixture.workspace() + "/observer";
  const Outcome outcome = fixture.run(policy, {"create", observer});
  ASSERT_EQ(outcome.violations.size(), 1U) << outcome_json(outcome);
  EXPECT_EQ(outcome.violations[0].code, "system_calls.profile");
  EXPECT_FALSE(std::filesystem::exists(observer));
}

}  // namespace
}  // namespace bawn
