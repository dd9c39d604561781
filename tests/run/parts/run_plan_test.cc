#include "run/run_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plan/plan_parts.h"
#include "policy/policy.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using ::testing::ElementsAre;

const HostFacts kBothTiers{.tier_b = true, .tier_c = true};

std::shared_ptr<const HostFacts> both_tiers() {
  return std::make_shared<const HostFacts>(kBothTiers);
}

Violation violation(std::string code) { return {std::move(code), "", "", ""}; }

std::vector<std::string> codes(const Violations& violations) {
  std::vector<std::string> out;
  for (const Violation& one : violations) out.push_back(one.code);
  return out;
}

RunPlan checked(const Policy& policy, const Request& request, const HostFacts& host = kBothTiers) {
  return check_input(policy, request, RequestSource::model,
                     std::make_shared<const HostFacts>(host));
}

TEST(CheckedInput, AreForTheTierThatPolicyAndHostHave) {
  const RunPlan run_plan = checked({}, {.command = "true"});
  EXPECT_TRUE(run_plan.input_is_valid);
  EXPECT_TRUE(run_plan.violations.empty());
  EXPECT_EQ(run_plan.tier, Tier::c);
  EXPECT_EQ(checked({}, {.command = "true"}, {.tier_b = true}).tier, Tier::b);
}

TEST(CheckedInput, OfAPolicyAndARequestAreFaultedTogetherAndForNoTier) {
  Policy policy;
  policy.limits.tmp_bytes = 1 << 20;
  const RunPlan run_plan = checked(policy, {.command = ""});
  EXPECT_FALSE(run_plan.input_is_valid);
  EXPECT_EQ(run_plan.tier, std::nullopt);
  ASSERT_THAT(codes(run_plan.violations), ElementsAre("policy.invalid", "request.invalid"));
  const Violation expected = {"policy.invalid", "limits.tmp_bytes",
                              "there is no temporary directory to limit",
                              "set filesystem.tmp to 'private', or leave tmp_bytes out"};
  EXPECT_EQ(run_plan.violations[0], expected);
  EXPECT_EQ(run_plan.violations[1].subject, "command");
}

TEST(CheckedInput, AreValidOnAHostThatHasNoTierForThem) {
  const RunPlan run_plan = checked({}, {.command = "true"}, {});
  EXPECT_TRUE(run_plan.input_is_valid) << "so the request is judged too";
  EXPECT_EQ(run_plan.tier, std::nullopt);
  EXPECT_THAT(codes(run_plan.violations), ElementsAre("tier.unavailable"));
}

TEST(CheckedInput, OfAPersonMayBeMoreThanThoseOfAModel) {
  const Request request{.command = "true",
                        .args = std::vector<std::string>(kMaxArguments + 1, "x")};
  EXPECT_FALSE(check_input({}, request, RequestSource::model, both_tiers()).input_is_valid);
  EXPECT_TRUE(check_input({}, request, RequestSource::person, both_tiers()).input_is_valid);
}

TEST(RunPlan, IsPlannedOnlyWithATierAndWithoutAViolation) {
  const Verdict refused{.violations = {violation("path.outside_scope")}};
  RunPlan run_plan;
  EXPECT_FALSE(run_plan.admits(Verdict{}, {}));
  run_plan.tier = Tier::b;
  EXPECT_TRUE(run_plan.admits(Verdict{}, {}));
  EXPECT_FALSE(run_plan.admits(refused, {}));
  EXPECT_EQ(run_plan.tier, std::nullopt);
}

// No plan is made here, so only this violation explains why a path in the request is missing.
TEST(RunPlan, TellsOfADestinationThatCannotBeHadBeforeWhatFailsForIt) {
  Policy policy;
  policy.filesystem.read = {{"/srv/data", "/data"}};
  RunPlan run_plan;
  run_plan.tier = Tier::b;
  EXPECT_TRUE(run_plan.admits(Verdict{}, policy)) << "the plan says it";
  EXPECT_TRUE(run_plan.violations.empty());
  EXPECT_FALSE(run_plan.admits({.violations = {violation("executable.not_found")}}, policy));
  EXPECT_THAT(codes(run_plan.violations), ElementsAre("tier.unavailable", "executable.not_found"));
}

TEST(RunPlan, CollectsTheViolationsOfEveryStep) {
  RunPlan run_plan = checked({}, {.command = "true"}, {});
  EXPECT_FALSE(run_plan.admits(
      {.violations = {violation("path.outside_scope"), violation("egress.host")}}, {}));
  run_plan.take({.violations = {violation("limit.memory")}});
  EXPECT_THAT(codes(run_plan.violations),
              ElementsAre("tier.unavailable", "path.outside_scope", "egress.host", "limit.memory"));
}

TEST(WorkspaceOf, ThePolicyIsThePolicysOrElseTheCallers) {
  Policy policy;
  EXPECT_EQ(workspace_of(policy, {.workspace = "/callers"}), "/callers");
  EXPECT_EQ(workspace_of(policy, {}), "");
  policy.workspace.root = "/policys";
  EXPECT_EQ(workspace_of(policy, {.workspace = "/callers"}), "/policys");
}

TEST(WorkspaceOf, APrivateWorkspaceHasNoPath) {
  Policy policy;
  policy.workspace = {.root = "/policys", .mode = WorkspaceMode::private_dir};
  EXPECT_EQ(workspace_of(policy, {.workspace = "/callers"}), "");
}

TEST(DirectoriesAmong, TheCallersPathAreTheAbsoluteOnesThatExist) {
  const FakeLookup lookup{
      {"/usr/bin", "dir"}, {"/bin", "link:usr/bin"}, {"/etc/passwd", "file"}, {"/root", "denied"}};
  constexpr std::string_view kPath[] = {"/bin",        "",          ".",   "usr/bin", "/none",
                                        "/etc/passwd", "/root/bin", "/usr"};
  EXPECT_THAT(directories_among(kPath, lookup, {}, ""), ElementsAre("/usr/bin", "/usr"));
}

TEST(DirectoriesAmong, TheCallersPathAreNotThoseToWhichALinkOfTheRunLeads) {
  const FakeLookup lookup{{"/work/bin", "link:/secret"},
                          {"/work/inner", "link:real"},
                          {"/work/real", "dir"},
                          {"/tools", "link:/opt/tools"},
                          {"/opt/tools", "dir"},
                          {"/by/way", "link:/work/bin"},
                          {"/secret", "dir"}};
  const Scope scope = make_scope(WorkspaceMode::direct, {}, lookup.locate("/work"), lookup);
  constexpr std::string_view kPath[] = {"/work/bin", "/work/inner", "/tools", "/by/way", "/secret"};
  EXPECT_THAT(directories_among(kPath, lookup, scope, ""),
              ElementsAre("/work/real", "/opt/tools", "/secret"));
}

// An earlier run with another workspace has left these links. Version managers leave such links
// too.
TEST(DirectoriesAmong, TheCallersPathAreNotThoseToWhichALinkOfAnEarlierRunLeads) {
  const FakeLookup lookup{{"/repo/venv/bin", "own link:/home/me/.ssh"},
                          {"/repo/theirs", "stranger's link:/secret"},
                          {"/repo/system", "own link:/usr/bin"},
                          {"/repo/java/current", "own link:17"},
                          {"/repo/java/17/bin", "dir"},
                          {"/repo/fnm/1", "own link:/home/me/.local/share/fnm/v20"},
                          {"/home/me/.local/share/fnm/v20/bin", "dir"},
                          {"/home/me/bin", "own link:/data/bin"},
                          {"/data/bin", "dir"},
                          {"/usr/bin", "dir"},
                          {"/secret", "dir"},
                          {"/home/me/.ssh", "dir"},
                          {"/work", "dir"}};
  const Scope scope = make_scope(WorkspaceMode::direct, {}, lookup.locate("/work"), lookup);
  constexpr std::string_view kPath[] = {"/repo/venv/bin",  "/repo/theirs",
                                        "/repo/system",    "/repo/java/current/bin",
                                        "/repo/fnm/1/bin", "/home/me/bin"};
  EXPECT_THAT(directories_among(kPath, lookup, scope, "/home/me"),
              ElementsAre("/usr/bin", "/repo/java/17/bin", "/home/me/.local/share/fnm/v20/bin",
                          "/data/bin"));
}

TEST(CanonicalPaths, AreThoseThatThePolicyRefusesAsTheLookUpTellsThem) {
  Policy policy;
  policy.arguments.refuse_paths = {"/var/run/x", "/none/../gone", "/root/keys"};
  policy.filesystem.read = {"/var/run"};
  const FakeLookup lookup{{"/run", "dir"}, {"/var/run", "link:/run"}, {"/root", "denied"}};
  const Policy canonical = with_canonical_paths(policy, lookup);
  EXPECT_THAT(canonical.arguments.refuse_paths, ElementsAre("/run/x", "/gone", "/root/keys"))
      << "the last is not known, so it stays as it was written";
  EXPECT_THAT(canonical.filesystem.read, ElementsAre("/var/run"));
}

TEST(RealNames, AreRefusedBesideThoseThatThePolicyHas) {
  Policy policy;
  policy.arguments.refuse_paths = {"/var/run/x", "/etc", "/root/keys"};
  const FakeLookup lookup{
      {"/run", "dir"}, {"/var/run", "link:/run"}, {"/etc", "dir"}, {"/root", "denied"}};
  EXPECT_THAT(with_real_names_added(policy, lookup).arguments.refuse_paths,
              ElementsAre("/var/run/x", "/etc", "/root/keys", "/run/x"));
}

TEST(PlanLine, TellsTheDirectoryThatTheCommandSees) {
  Plan plan;
  plan.tier = Tier::c;
  plan.program.file.path = "/usr/bin/git";
  plan.cwd.path = "/srv/work";
  EXPECT_EQ(plan_line(plan), "tier c, program '/usr/bin/git', cwd '/srv/work', network refused");
  test::root_of(plan).cwd = "/work";
  EXPECT_EQ(plan_line(plan), "tier c, program '/usr/bin/git', cwd '/work', network refused");
}

TEST(PlanLine, ClaimsNoConfinementThatThereIsNot) {
  Plan plan;
  plan.tier = Tier::unconfined;
  plan.network.reach = NetworkReach::everything;
  EXPECT_EQ(plan_line(plan), "tier unconfined, program '', cwd '', network not isolated");
  plan.tier = Tier::b;
  EXPECT_TRUE(plan_line(plan).starts_with("tier b, "));
}

}  // namespace
}  // namespace bawn
