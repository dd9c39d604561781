#include "validate/argument/argument_paths.h"

#include <gtest/gtest.h>

#include "fake_lookup.h"
#include "policy/policy.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

class ArgumentPaths : public ::testing::Test {
 protected:
  // The violation codes for one command line, run in `cwd`.
  Words codes(std::string command, Words words) {
    violations_.clear();
    Request request;
    request.command = std::move(command);
    request.args = words;
    const Scope scope =
        make_scope(policy_.workspace.mode, policy_.filesystem, lookup_.locate("/work"), lookup_);
    judge_paths(policy_, request, words, scope, lookup_.locate(cwd_), context(), violations_);
    Words out;
    for (const Violation& violation : violations_) out.push_back(violation.code);
    return out;
  }

  [[nodiscard]] ValidationContext context() const {
    return {.tier = tier_,
            .lookup = &lookup_,
            .workspace = "/work",
            .system = {"/usr", "/opt", "/etc/ssl/certs"},
            .caller_env = {}};
  }

  Words cat(std::string word) { return codes("cat", {std::move(word)}); }

  const Words fine_{};
  const Words outside_{"path.outside_scope"};

  FakeLookup lookup_{{"/work/src/main.cc", "file"},
                     {"/work/sub/deep", "dir"},
                     {"/work/leak", "link:/etc/passwd"},
                     {"/work/-leak", "link:/etc/passwd"},
                     {"/work/new", "link:/etc/cron.d/evil"},
                     {"/work/home", "link:/work/src"},
                     {"/work/deeplink", "link:/srv/data/inner"},
                     {"/work/loop", "link:loop"},
                     {"/work/locked", "denied"},
                     {"/work/nul", "link:/dev/null"},
                     {"/work/secret/key", "file"},
                     {"/work-evil/x", "file"},
                     {"/etc/passwd", "file"},
                     {"/etc/alternatives/java", "link:/usr/lib/jvm/java"},
                     {"/usr/lib/jvm/java", "exe"},
                     {"/usr/bin/java", "link:/etc/alternatives/java"},
                     {"/usr/bin/true", "exe"},
                     {"/usr/bin/README", "file"},
                     {"/bin", "link:usr/bin"},
                     {"/srv/data/inner/x", "file"},
                     {"/dev/null", "device"},
                     {"/dev/sda", "device"},
                     {"/proc/self/fd/0", "magic"},
                     {"/proc/self/fd/7", "magic"},
                     {"/proc/self/root", "magic"}};
  Policy policy_;
  Tier tier_ = Tier::b;
  std::string cwd_ = "/work";
  Violations violations_;
};

TEST_F(ArgumentPaths, AreRefusedOutsideTheScopeUntilAGrantCoversThem) {
  EXPECT_EQ(cat("/etc/passwd"), outside_);
  policy_.filesystem.read = {"/etc/passwd"};
  EXPECT_EQ(cat("/etc/passwd"), fine_);
  EXPECT_EQ(cat("/etc/shadow"), outside_);
}

TEST_F(ArgumentPaths, AreFineInsideInEverySpelling) {
  for (const char* word : {"src/main.cc", "./src/../src/main.cc", "/work", "/work/",
                           "//work//src/./main.cc", "nope/x", "home/main.cc", "/work/brand/new"}) {
    EXPECT_EQ(cat(word), fine_) << word;
  }
}

TEST_F(ArgumentPaths, AreJudgedByWhereLinksLead) {
  EXPECT_EQ(cat("leak"), outside_);
  EXPECT_EQ(cat("new"), outside_);
  EXPECT_EQ(cat("--file=leak"), outside_);
  EXPECT_EQ(cat("-oleak"), outside_);
  EXPECT_EQ(cat("a:leak:b"), outside_);
  EXPECT_EQ(cat("deeplink/x"), outside_);
  EXPECT_EQ(codes("cat", {"--", "-leak"}), outside_);
  EXPECT_EQ(cat("nul"), fine_);
  EXPECT_EQ(cat("leaks"), fine_);
}

TEST_F(ArgumentPaths, ResolveDotsThroughLinksAndNotByText) {
  EXPECT_EQ(cat("../etc/passwd"), outside_);
  EXPECT_EQ(cat("nope/../../etc/passwd"), outside_);
  EXPECT_EQ(cat("deeplink/../../../work/src/main.cc"), fine_);  // /srv/data/inner/../../../work/...
  cwd_ = "/work/sub/deep";
  EXPECT_EQ(cat("../../src/main.cc"), fine_);
  EXPECT_EQ(cat("../../../etc/passwd"), outside_);
}

TEST_F(ArgumentPaths, TellTwinsApart) {
  EXPECT_EQ(cat("/work-evil/x"), outside_);
  EXPECT_EQ(cat("/Work/src/main.cc"), outside_);
  EXPECT_EQ(cat("../work-evil/x"), outside_);
}

TEST_F(ArgumentPaths, MustBeResolvable) {
  const Words unresolvable{"path.unresolvable"};
  for (const char* word :
       {"loop", "locked/x", "/proc/self/fd/7", "/dev/../proc/self/root/etc/passwd"}) {
    EXPECT_EQ(cat(word), unresolvable) << word;
  }
  tier_ = Tier::c;
  EXPECT_EQ(cat("loop"), unresolvable);
}

TEST_F(ArgumentPaths, MayNameHarmlessDevicesAndNoOthers) {
  for (const char* word :
       {"/dev/null", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "if=/dev/zero"}) {
    EXPECT_EQ(cat(word), fine_) << word;
  }
  EXPECT_EQ(cat("/dev/sda"), outside_);
  EXPECT_EQ(cat("/dev/fd/3"), outside_);
}

TEST_F(ArgumentPaths, MayNameProgramsOnTheTrustedPath) {
  EXPECT_EQ(codes("env", {"/usr/bin/true"}), fine_);
  EXPECT_EQ(codes("env", {"/bin/true"}), fine_);
  EXPECT_EQ(codes("env", {"/usr/bin/java"}), fine_);
  EXPECT_EQ(codes("env", {"/usr/bin/README"}), outside_);
  EXPECT_EQ(codes("env", {"/usr/lib/jvm/java"}), outside_);
}

TEST_F(ArgumentPaths, AreNotSeenInTextThatOnlyLooksLikeThem) {
  for (const char* word : {"2024/01/02",
                           "/foo|bar/",
                           "s/a/b/",
                           "origin/main",
                           "HEAD~1:src/x",
                           "text/html",
                           "1/2",
                           "and/or",
                           "src/**/*.cc",
                           "--format=%H/%s",
                           "fix a/b and c",
                           "see ../../x for details",
                           "// comment",
                           "/* comment */",
                           "/^abc$/d",
                           "~1.2",
                           R"({"file":"/etc/passwd"})",
                           "key: /etc/passwd",
                           "--route=/api/users",
                           "https://example.com/etc/passwd",
                           "main..topic",
                           "./...",
                           "@scope/pkg",
                           "-la",
                           "--",
                           "-"}) {
    EXPECT_EQ(cat(word), fine_) << word;
  }
}

TEST_F(ArgumentPaths, FailClosedWhereTheFirstComponentExists) {
  EXPECT_EQ(cat("/etc/passwd|x"), outside_);
  EXPECT_EQ(cat("/etc/pass*"), outside_);
  EXPECT_EQ(cat("--glob=/etc/*"), outside_);
}

TEST_F(ArgumentPaths, TakeALoneSlashForTheRootExceptWhereItIsData) {
  EXPECT_EQ(codes("find", {"/", "-name", "x"}), outside_);
  EXPECT_EQ(codes("tar", {"-C/", "x"}), outside_);
  EXPECT_EQ(codes("expr", {"6", "/", "2"}), fine_);
  EXPECT_EQ(codes("cut", {"-d", "/", "-f", "2"}), fine_);
  EXPECT_EQ(codes("cut", {"-d/", "-f2"}), fine_);
  EXPECT_EQ(codes("git", {"add", ":/"}), fine_);
}

TEST_F(ArgumentPaths, SeeAHomeOnlyWhereNoEntryHasThatName) {
  EXPECT_EQ(cat("~/.ssh/id_rsa"), outside_);
  EXPECT_EQ(cat("~root"), outside_);
  EXPECT_EQ(cat("--key=~/.ssh/id_rsa"), outside_);
  tier_ = Tier::c;
  EXPECT_EQ(cat("~/.ssh/id_rsa"), fine_);
}

TEST_F(ArgumentPaths, AreReadAsTheProgramBehindALauncherReadsThem) {
  EXPECT_EQ(codes("timeout", {"5", "grep", "/etc/passwd", "src"}), fine_);
  EXPECT_EQ(codes("timeout", {"5", "nice", "grep", "x", "/etc/passwd"}), outside_);
  EXPECT_EQ(codes("timeout", {"5", "cat", "/etc/passwd"}), outside_);
  EXPECT_EQ(codes("find", {".", "-exec", "grep", "/etc/passwd", "{}", ";"}), fine_);
  EXPECT_EQ(codes("find", {"/etc", "-exec", "grep", "/etc/passwd", "{}", ";"}), outside_);
}

TEST_F(ArgumentPaths, MayLieAnywhereInTierCExceptWhereThePolicyRefuses) {
  tier_ = Tier::c;
  EXPECT_EQ(cat("/etc/passwd"), fine_);
  policy_.arguments.refuse_paths = {"/etc"};
  EXPECT_EQ(cat("/etc/passwd"), Words{"path.refused"});
  EXPECT_EQ(cat("leak"), Words{"path.refused"});
  EXPECT_EQ(cat("/usr/../etc"), Words{"path.refused"});
  EXPECT_EQ(cat("/etcetera"), fine_);
}

TEST_F(ArgumentPaths, AreNotRefusedInsideAScopeThatLiesBelowTheRefusedPrefix) {
  policy_.arguments.refuse_paths = {"/work"};
  EXPECT_EQ(cat("src/main.cc"), Words{"path.refused"});
  policy_.arguments.refuse_paths = {"/"};
  EXPECT_EQ(cat("src/main.cc"), fine_);
  EXPECT_EQ(cat("/etc/passwd"), Words{"path.refused"});
}

TEST_F(ArgumentPaths, MayNotNameWhatIsHidden) {
  EXPECT_EQ(cat("secret/key"), fine_);
  for (const char* entry : {"secret", "/work/secret", "./secret/"}) {
    policy_.workspace.hide = {entry};
    EXPECT_EQ(cat("secret/key"), Words{"path.hidden"}) << entry;
    EXPECT_EQ(cat("src/../secret"), Words{"path.hidden"}) << entry;
    EXPECT_EQ(cat("secrets"), fine_) << entry;
  }
}

TEST_F(ArgumentPaths, AreNotJudgedWithoutASandbox) {
  tier_ = Tier::unconfined;
  policy_.arguments.refuse_paths = {"/etc"};
  EXPECT_EQ(cat("/etc/passwd"), fine_);
}

TEST_F(ArgumentPaths, AreReportedOncePerWordWithWhatToDo) {
  EXPECT_EQ(codes("cat", {"/etc/passwd:/etc/shadow", "/etc/group"}),
            (Words{"path.outside_scope", "path.outside_scope"}));
  ASSERT_EQ(violations_.size(), 2U);
  EXPECT_EQ(violations_[1].subject, "/etc/group");
  EXPECT_EQ(violations_[1].message, "'/etc/group' is outside the workspace and the granted paths");
  EXPECT_EQ(violations_[1].hint,
            "use a path below '/work', or try --ro /etc/group, or --rw /etc/group to write there "
            "(policy keys: filesystem.read, filesystem.write)");
  EXPECT_EQ(cat("leak"), outside_);
  ASSERT_EQ(violations_.size(), 1U);
  EXPECT_EQ(violations_[0].message,
            "'leak' leads to '/etc/passwd', which is outside the workspace and the granted paths");
}

TEST_F(ArgumentPaths, AreJudgedBySpellingInADirectoryThatDoesNotExistYet) {
  const Request request{.command = "cat"};
  for (const auto& [word, expected] : std::vector<std::pair<std::string, std::size_t>>{
           {"a/b", 0}, {"a/../b", 0}, {"../x", 1}, {"/etc/passwd", 1}, {"leak", 0}}) {
    Violations violations;
    judge_paths(policy_, request, {word}, Scope{}, Located{}, context(), violations);
    EXPECT_EQ(violations.size(), expected) << word;
  }
}

}  // namespace
}  // namespace bawn
