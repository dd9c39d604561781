#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "policy/preset.h"
#include "policy/text/policy_json.h"

namespace bawn {
namespace {

// A policy without warnings; each test changes it in one way.
Policy clean() {
  Policy policy = *preset("agent");
  policy.executables.allow = {"git"};
  return policy;
}

// The warning of a policy that must have exactly one.
std::string finding(const Policy& policy) {
  const std::vector<std::string> found = lint_policy(policy);
  EXPECT_EQ(found.size(), 1U);
  return found.empty() ? "" : found.front();
}

TEST(PolicyLint, HasNothingToSayAboutAGoodPolicy) {
  EXPECT_TRUE(lint_policy(clean()).empty());
  for (const auto* name : {"workspace", "basic", "strict", "network-isolated"}) {
    EXPECT_TRUE(lint_policy(*preset(name)).empty())
        << name << ": " << lint_policy(*preset(name)).front();
  }
}

// The policy in the README, which is indented as Markdown wants it.
std::string readme_policy() {
  const char* name = std::getenv("BAWN_README");
  std::ifstream file(name == nullptr ? "" : name);
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const std::size_t begin = text.find("\n    {\n", text.find("\n## Policies\n"));
  const std::size_t end = text.find("\n    }\n", begin);
  if (begin == std::string::npos || end == std::string::npos) return "";
  return text.substr(begin, end + std::string_view("\n    }\n").size() - begin);
}

// The example once had a destination, which needs tier c, on a preset that accepts tier b. A user
// who copied it got a warning at once.
TEST(PolicyLint, HasNothingToSayAboutThePolicyInTheReadme) {
  const auto parsed = parse_policy(readme_policy(), "README.md");
  ASSERT_TRUE(std::holds_alternative<SourcedPolicy>(parsed));
  const Policy& policy = std::get<SourcedPolicy>(parsed).policy;
  EXPECT_FALSE(policy.filesystem.read.empty());
  EXPECT_EQ(lint_policy(policy), std::vector<std::string>{});
}

TEST(PolicyLint, SaysThatNoCommandCanRun) {
  EXPECT_EQ(finding(*preset("agent")), "executables.allow is empty: no command can run");
}

TEST(PolicyLint, SaysThatAllInAListIsAProgram) {
  Policy policy = clean();
  policy.executables.allow = {"all"};
  EXPECT_NE(finding(policy).find("write \"allow\": \"all\""), std::string::npos) << finding(policy);
}

TEST(PolicyLint, SaysThatThereIsNoSandbox) {
  EXPECT_EQ(finding(*preset("disabled")),
            "tier.use is 'unconfined': the command runs without any sandbox");
  Policy policy = clean();
  policy.tier.floor = Tier::unconfined;
  EXPECT_NE(finding(policy).find("tier.floor"), std::string::npos);
}

TEST(PolicyLint, SeesAnAllowListBesideAll) {
  Policy policy = clean();
  policy.executables.allow_all = true;
  EXPECT_EQ(finding(policy), "executables.allow: the list has no effect beside \"all\"");
}

TEST(PolicyLint, SeesABlockedProgramOnTheAllowList) {
  Policy policy = clean();
  policy.executables.block = {"git"};
  EXPECT_EQ(finding(policy), "executables.allow: 'git' is blocked, and block wins");
}

TEST(PolicyLint, SeesAnInterpreterThatStaysRefused) {
  for (const auto* name : {"bash", "python3.11", "/usr/bin/perl", "node"}) {
    Policy policy = clean();
    policy.executables.allow = {name};
    EXPECT_NE(finding(policy).find("executables.interpreters"), std::string::npos) << name;
    policy.executables.interpreters = true;
    EXPECT_TRUE(lint_policy(policy).empty());
  }
}

TEST(PolicyLint, SeesADigestThatIsNeverLookedAt) {
  Policy policy = clean();
  policy.executables.sha256 = {{"git", std::string(64, 'a')}};
  EXPECT_TRUE(lint_policy(policy).empty());
  policy.executables.sha256 = {{"make", std::string(64, 'a')}};
  EXPECT_NE(finding(policy).find("'make' is not on executables.allow"), std::string::npos);
  policy.executables.block = {"make"};
  EXPECT_NE(finding(policy).find("'make' is blocked"), std::string::npos);
}

TEST(PolicyLint, SeesVariablesThatInjectCodeOrCarryCredentials) {
  for (const auto* name : {"LD_PRELOAD", "BASH_ENV", "NODE_OPTIONS", "GITHUB_TOKEN"}) {
    Policy policy = clean();
    policy.environment.pass = {name};
    EXPECT_NE(finding(policy).find(name), std::string::npos);
    policy.environment.pass = {};
    policy.environment.set = {{name, "hunter22"}};
    EXPECT_NE(finding(policy).find(name), std::string::npos);
    EXPECT_EQ(finding(policy).find("hunter22"), std::string::npos);
  }
}

TEST(PolicyLint, SeesAVariableThatIsPassedAndSet) {
  Policy policy = clean();
  policy.environment.set = {{"LANG", "C"}};
  EXPECT_EQ(finding(policy), "environment.pass: 'LANG' has no effect, environment.set wins");
}

TEST(PolicyLint, SeesGrantsThatAreTooWideOrIdle) {
  Policy policy = clean();
  policy.filesystem.write = {"/usr"};
  EXPECT_NE(finding(policy).find("filesystem.write: '/usr'"), std::string::npos);
  policy.filesystem.write = {"/srv/cache"};
  policy.filesystem.read = {"/srv/cache-other"};
  EXPECT_TRUE(lint_policy(policy).empty());
  policy.filesystem.read = {"/srv/cache/x"};
  EXPECT_NE(finding(policy).find("is writable already"), std::string::npos);
  policy.filesystem = {{"/"}, {}, Tmp::private_dir};
  EXPECT_NE(finding(policy).find("filesystem.read: '/'"), std::string::npos);
}

TEST(PolicyLint, SeesThatExecChangesNothingWhereEveryProgramMayRun) {
  Policy policy = clean();
  policy.filesystem.read = {"/srv/tools"};
  policy.filesystem.read[0].exec = true;
  policy.executables.allow_all = false;
  policy.executables.allow = {"git"};
  EXPECT_TRUE(lint_policy(policy).empty());
  policy.executables.allow_all = true;
  policy.executables.allow.clear();
  EXPECT_EQ(finding(policy),
            "filesystem.read: 'exec' of '/srv/tools' changes nothing, because executables.allow is "
            "\"all\"");
}

TEST(PolicyLint, SeesDestinationsInTheWayOfTheWorkspaceOrInATierThatHasNone) {
  Policy policy = clean();
  policy.tier = {TierChoice::c, Tier::c};
  policy.workspace.root = "/srv/work";
  policy.filesystem.read = {{"/opt/sdk", "/sdk"}};
  EXPECT_TRUE(lint_policy(policy).empty());
  policy.filesystem.read = {{"/opt/sdk", "/srv/work/sdk"}};
  EXPECT_EQ(finding(policy),
            "filesystem.read: '/opt/sdk' at '/srv/work/sdk' covers what the workspace has there");
  policy.filesystem = {{}, {{"/opt/sdk", "/srv"}}, Tmp::none};
  EXPECT_EQ(finding(policy),
            "filesystem.write: '/opt/sdk' at '/srv' is around the workspace '/srv/work', which "
            "needs a directory to lie on there");
  policy.filesystem = {{{"/opt/sdk", "/sdk"}}, {}, Tmp::none};
  policy.tier = {TierChoice::automatic, Tier::b};
  EXPECT_EQ(finding(policy),
            "filesystem.read: '/opt/sdk' at '/sdk' needs tier c: where a host has none, every "
            "request is denied");
}

TEST(PolicyLint, SeesProtectionThatAddsNothing) {
  Policy policy = clean();
  policy.workspace.protect = {".git"};
  EXPECT_TRUE(lint_policy(policy).empty());
  policy.workspace.hide = {".git"};
  EXPECT_NE(finding(policy).find("is hidden anyway"), std::string::npos);
  policy.workspace.hide = {};
  policy.workspace.mode = WorkspaceMode::read_only;
  EXPECT_NE(finding(policy).find("read-only"), std::string::npos);
}

TEST(PolicyLint, SeesEgressThatPromisesTooMuch) {
  Policy policy = clean();
  EXPECT_TRUE(lint_policy(policy).empty());
  policy.egress.hosts = {{"a.example", 443}};
  for (const TierChoice tier : {TierChoice::automatic, TierChoice::b, TierChoice::c}) {
    policy.tier.use = tier;
    EXPECT_NE(finding(policy).find("'strict' with hosts cannot be enforced"), std::string::npos);
  }
  policy.tier.use = TierChoice::automatic;
  policy.egress.mode = EgressMode::preflight;
  EXPECT_NE(finding(policy).find("'preflight'"), std::string::npos);
}

TEST(PolicyLint, SeesHostsAndSuffixesThatAreTooWideOrIdle) {
  Policy policy = clean();
  policy.egress.mode = EgressMode::preflight;
  const auto finding = [](const Policy& about) {  // the first warning is about the mode
    const std::vector<std::string> findings = lint_policy(about);
    return findings.size() == 2 ? findings[1] : "";
  };
  policy.egress.dns_suffixes = {"com"};
  EXPECT_NE(finding(policy).find("top-level"), std::string::npos);
  policy.egress.dns_suffixes = {"example.com"};
  policy.egress.hosts = {{"notexample.com", 0}};
  EXPECT_EQ(finding(policy), "");
  policy.egress.hosts = {{"a.example.com", 443}};
  EXPECT_NE(finding(policy).find("'a.example.com:443' is covered"), std::string::npos);
  policy.egress.hosts = {{"169.254.169.254", 0}};
  EXPECT_NE(finding(policy).find("link-local"), std::string::npos);
}

TEST(PolicyLint, SeesATemporaryDirectoryLargerThanMemory) {
  Policy policy = clean();
  policy.limits.tmp_bytes = std::nullopt;
  EXPECT_NE(finding(policy).find("limits.tmp_bytes"), std::string::npos);
}

TEST(PolicyLint, SeesRedactionTurnedOff) {
  Policy policy = clean();
  policy.redaction.enabled = false;
  EXPECT_NE(finding(policy).find("redaction.enabled is false"), std::string::npos);
  policy.redaction.secrets = {"hunter22"};
  EXPECT_EQ(finding(policy), "redaction.secrets has no effect while redaction.enabled is false");
}

}  // namespace
}  // namespace bawn
