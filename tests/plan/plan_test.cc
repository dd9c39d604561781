#include "plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "host/system_facts.h"
#include "plan/plan_parts.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using test::planned;

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

FakeLookup tree() {
  return FakeLookup({{"/work", "dir"},
                     {"/usr/bin/git", "exe"},
                     {"/srv/docs", "dir"},
                     {"/tmp", "dir"},
                     {"/dev/null", "file"}});
}

HostFacts able_host() {
  HostFacts host;
  host.tier_b = true;
  host.tier_c_reason = "not built";
  host.landlock_abi = 6;
  host.seccomp_filters = true;
  host.process_limit_binds = true;
  host.system_paths = {"/usr", "/not-here"};
  host.device_paths = {"/dev/null"};
  host.private_parent = "/tmp";
  return host;
}

Policy git_policy() {
  Policy policy = *preset("agent");
  policy.executables.allow = {"git"};
  return policy;
}

PlanResult plan(const Policy& policy, const HostFacts& host,
                const Request& request = {.command = "git"}, Tier tier = Tier::b,
                const LimitFacts& limits = {.user_tasks = 100}) {
  const FakeLookup lookup = tree();
  const Verdict verdict =
      validate(policy, request, {.tier = tier, .lookup = &lookup, .workspace = "/work"});
  EXPECT_TRUE(verdict.allowed());
  return planned(policy, request, verdict, tier, {.run_id = "run-1", .private_name = "bawn-x"},
                 host, lookup, limits);
}

std::vector<std::string> codes(const PlanResult& result) {
  std::vector<std::string> out;
  for (const Violation& violation : result.violations) out.push_back(violation.code);
  return out;
}

const FileGrant* grant_for(const Plan& plan, std::string_view path) {
  for (const FileGrant& grant : plan.files()) {
    if (grant.target.path == path) return &grant;
  }
  return nullptr;
}

const LimitPlan* limit_of(const Plan& plan, ProcessLimit wanted) {
  for (const LimitPlan& limit : plan.process_limits) {
    if (limit.limit == wanted) return &limit;
  }
  return nullptr;
}

TEST(TierChoice, TakesTheStrongestThatTheHostHas) {
  Policy policy;
  HostFacts host = able_host();
  EXPECT_EQ(std::get<Tier>(choose_tier(policy, host)), Tier::b);
  host.tier_c = true;
  EXPECT_EQ(std::get<Tier>(choose_tier(policy, host)), Tier::c);
}

TEST(TierChoice, NeverGoesBelowTheFloor) {
  Policy policy;
  policy.tier = {TierChoice::automatic, Tier::c};
  const auto refused = choose_tier(policy, able_host());
  ASSERT_TRUE(std::holds_alternative<Violation>(refused));
  EXPECT_EQ(std::get<Violation>(refused).code, "tier.unavailable");
  EXPECT_THAT(std::get<Violation>(refused).message, HasSubstr("not built"));
  policy.tier = {TierChoice::unconfined, Tier::b};
  EXPECT_TRUE(std::holds_alternative<Violation>(choose_tier(policy, able_host())));
  policy.tier = {TierChoice::b, Tier::b};
  EXPECT_EQ(std::get<Tier>(choose_tier(policy, able_host())), Tier::b);
}

std::vector<std::string> git_variables(const Plan& plan) {
  std::vector<std::string> out;
  for (const std::string& entry : plan.environment) {
    if (entry.starts_with("GIT_")) out.push_back(entry);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// `git apply` can make a bare repository with settings that name commands, and a later git in that
// directory obeyed them.
TEST(Plan, ForcesHarmlessSettingsOnGitIfThePolicyListsExecutables) {
  EXPECT_THAT(
      git_variables(plan(git_policy(), able_host()).plan),
      testing::ElementsAre("GIT_CONFIG_COUNT=3", "GIT_CONFIG_KEY_0=core.fsmonitor",
                           "GIT_CONFIG_KEY_1=core.hooksPath",
                           "GIT_CONFIG_KEY_2=safe.bareRepository", "GIT_CONFIG_VALUE_0=false",
                           "GIT_CONFIG_VALUE_1=/dev/null", "GIT_CONFIG_VALUE_2=explicit"));
  Policy open = git_policy();
  open.executables.allow_all = true;
  EXPECT_THAT(git_variables(plan(open, able_host()).plan), testing::IsEmpty());
}

TEST(Plan, KeepsTheSettingsThatThePolicyGivesGit) {
  Policy policy = git_policy();
  policy.environment.set = {{"GIT_CONFIG_COUNT", "1"},
                            {"GIT_CONFIG_KEY_0", "core.fsmonitor"},
                            {"GIT_CONFIG_VALUE_0", "x"}};
  const auto variables = git_variables(plan(policy, able_host()).plan);
  EXPECT_THAT(variables, testing::Contains("GIT_CONFIG_COUNT=4"));
  EXPECT_THAT(variables, testing::Contains("GIT_CONFIG_VALUE_0=x"));
  EXPECT_THAT(variables, testing::Contains("GIT_CONFIG_KEY_3=safe.bareRepository"));
  policy.environment.set["GIT_CONFIG_COUNT"] = "many";
  EXPECT_THAT(git_variables(plan(policy, able_host()).plan),
              testing::Contains("GIT_CONFIG_COUNT=many"));
}

TEST(Plan, GrantsTheSystemTheWorkspaceAndNothingElse) {
  const PlanResult result = plan(git_policy(), able_host());
  EXPECT_THAT(result.violations, IsEmpty());
  ASSERT_NE(grant_for(result.plan, "/work"), nullptr);
  EXPECT_EQ(grant_for(result.plan, "/work")->access, FileAccess::write);
  EXPECT_EQ(grant_for(result.plan, "/usr")->access, FileAccess::read);
  EXPECT_EQ(grant_for(result.plan, "/dev/null")->access, FileAccess::device);
  EXPECT_EQ(grant_for(result.plan, "/srv/docs"), nullptr);
  EXPECT_EQ(result.plan.files().size(), 4U) << "the program itself is the fourth";
}

TEST(Plan, RefusesAGrantThatDoesNotExist) {
  Policy policy = git_policy();
  policy.filesystem.read = {"/srv/docs"};
  EXPECT_THAT(plan(policy, able_host()).violations, IsEmpty());
  policy.filesystem.write = {"/srv/typo"};
  EXPECT_THAT(codes(plan(policy, able_host())), testing::ElementsAre("grant.missing"));
}

TEST(Plan, RefusesWhatAKernelWithoutLandlockOrFiltersCannotHold) {
  HostFacts host = able_host();
  host.landlock_abi = 0;
  EXPECT_THAT(codes(plan(git_policy(), host)), Contains("tier.unavailable"));
  host = able_host();
  host.seccomp_filters = false;
  EXPECT_THAT(codes(plan(git_policy(), host)), Contains("tier.unavailable"));
  Policy open = git_policy();
  open.egress.mode = EgressMode::allow_all;
  EXPECT_THAT(codes(plan(open, host)), Contains("tier.unavailable"))
      << "the filter is needed with a network too";
  EXPECT_THAT(plan(open, able_host()).violations, IsEmpty());
}

TEST(Plan, RefusesSetGroupIdFilesInTierBAndInTierCToRootAndToTheStrict) {
  EXPECT_TRUE(plan(git_policy(), able_host()).plan.filter()->refuse_set_group_id);
  const auto refuses = [](std::uint32_t uid, const std::string& profile) {
    HostFacts host = able_host();
    host.uid = uid;
    host.gid = 100;
    Policy policy = git_policy();
    policy.system_calls.profile = profile;
    return plan(policy, host, {.command = "git"}, Tier::c).plan.filter()->refuse_set_group_id;
  };
  EXPECT_FALSE(refuses(1000, "default"));
  EXPECT_FALSE(refuses(1000, "/etc/own.json"));
  EXPECT_TRUE(refuses(1000, "strict"));
  EXPECT_TRUE(refuses(0, "default"));
  EXPECT_TRUE(refuses(0, "/etc/own.json"));
}

TEST(Plan, NamesTheFilterOfTheTierTheNetworkTheProfileAndTheUser) {
  const auto filter = [](Tier tier, EgressMode egress, const std::string& profile,
                         std::uint32_t uid) {
    HostFacts host = able_host();
    host.uid = uid;
    host.gid = 100;
    Policy policy = git_policy();
    policy.egress.mode = egress;
    policy.system_calls.profile = profile;
    return plan(policy, host, {.command = "git"}, tier).plan.filter()->name;
  };
  constexpr EgressMode kNone = EgressMode::block_all;
  EXPECT_EQ(filter(Tier::b, EgressMode::allow_all, "default", 1000), "tier-b");
  EXPECT_EQ(filter(Tier::b, kNone, "default", 1000), "no-network");
  EXPECT_EQ(filter(Tier::c, kNone, "default", 1000), "default");
  EXPECT_EQ(filter(Tier::c, kNone, "default", 0), "default-root");
  EXPECT_EQ(filter(Tier::c, kNone, "strict", 0), "strict");
  EXPECT_EQ(filter(Tier::c, kNone, "/etc/own.json", 0), "/etc/own.json");
  Policy open = git_policy();
  open.tier = {.use = TierChoice::unconfined, .floor = Tier::unconfined};
  EXPECT_EQ(plan(open, able_host(), {.command = "git"}, Tier::unconfined).plan.filter(), nullptr);
}

TEST(Plan, IsolatesTheNetworkAsEachBoundaryCan) {
  HostFacts host = able_host();
  host.uid = 1000;
  const auto reach = [](const Policy& policy, const HostFacts& of, Tier tier) {
    return plan(policy, of, {.command = "git"}, tier).plan.network.reach;
  };
  Policy policy = git_policy();
  policy.egress.mode = EgressMode::block_all;
  EXPECT_EQ(reach(policy, host, Tier::c), NetworkReach::own_loopback);
  EXPECT_EQ(reach(policy, host, Tier::b), NetworkReach::nothing);
  EXPECT_EQ(reach(policy, macos_facts(), Tier::c), NetworkReach::nothing);
  policy.macos.loopback = true;
  EXPECT_EQ(reach(policy, macos_facts(), Tier::c), NetworkReach::host_loopback);
  policy.egress.mode = EgressMode::allow_all;
  EXPECT_EQ(reach(policy, macos_facts(), Tier::c), NetworkReach::everything);
  EXPECT_EQ(reach(policy, host, Tier::c), NetworkReach::everything);
}

// A process without privilege cannot raise a hard limit, and a lower one is stricter.
TEST(Plan, KeepsAHardLimitThatIsLowerThanThePolicys) {
  HostFacts host = able_host();
  Policy policy = git_policy();
  policy.limits.open_files = 100;
  const auto value_of = [&](ProcessLimit limit) {
    const Plan made = plan(policy, host).plan;
    return limit_of(made, limit)->value;
  };
  Limit& hard = host.hard_limits[static_cast<std::size_t>(ProcessLimit::open_files)];
  EXPECT_EQ(value_of(ProcessLimit::open_files), 100U);
  hard = 101;
  EXPECT_EQ(value_of(ProcessLimit::open_files), 100U);
  const std::uint64_t file_bytes = value_of(ProcessLimit::file_bytes);
  hard = 64;
  EXPECT_EQ(value_of(ProcessLimit::open_files), 64U);
  EXPECT_EQ(value_of(ProcessLimit::file_bytes), file_bytes) << "each limit has its own";
}

TEST(Plan, TellsWhichLimitsAreTheCallersOwn) {
  HostFacts host = able_host();
  host.hard_limits[static_cast<std::size_t>(ProcessLimit::open_files)] = 64;
  Policy policy = git_policy();
  policy.limits.open_files = 100;
  const Plan made = plan(policy, host).plan;
  EXPECT_TRUE(limit_of(made, ProcessLimit::open_files)->is_callers);
  EXPECT_FALSE(limit_of(made, ProcessLimit::core_bytes)->is_callers);
  policy.limits.open_files = 64;
  EXPECT_FALSE(limit_of(plan(policy, host).plan, ProcessLimit::open_files)->is_callers);
}

// With RLIMIT_CORE 0 the kernel starts the handler of kernel.core_pattern.
TEST(Plan, OfCoreFilesIsWeakerWhereTheCallersLimitIsZero) {
  HostFacts host = able_host();
  host.no_core_bytes = 1;
  const auto escapes = [&] {
    return std::ranges::count(plan(git_policy(), host).plan.partial_limits, "core_bytes",
                              &PartialLimit::name);
  };
  EXPECT_EQ(escapes(), 0);
  host.hard_limits[static_cast<std::size_t>(ProcessLimit::core_bytes)] = 0;
  EXPECT_EQ(escapes(), 1);
}

TEST(Plan, RefusesToExceptPathsFromTheWorkspace) {
  Policy policy = git_policy();
  policy.workspace.hide = {"secret"};
  policy.workspace.protect = {".git"};
  EXPECT_THAT(codes(plan(policy, able_host())),
              testing::ElementsAre("tier.unavailable", "tier.unavailable"));
}

TEST(Plan, AnEmptyAllowlistIsNoNetworkAndAFullOneNeedsTierC) {
  Policy policy = git_policy();
  EXPECT_EQ(plan(policy, able_host()).plan.network.reach, NetworkReach::nothing);
  policy.egress.hosts = {{"example.com", 443}};
  EXPECT_THAT(codes(plan(policy, able_host())), Contains("tier.unavailable"));
  policy.egress.mode = EgressMode::preflight;
  EXPECT_THAT(plan(policy, able_host()).violations, IsEmpty());
  EXPECT_EQ(plan(policy, able_host()).plan.network.reach, NetworkReach::everything);
}

TEST(Plan, CountsTheUsersOtherTasksIntoTheProcessLimit) {
  const PlanResult result = plan(git_policy(), able_host());
  ASSERT_NE(limit_of(result.plan, ProcessLimit::processes), nullptr);
  EXPECT_EQ(limit_of(result.plan, ProcessLimit::processes)->value, 164U);
}

TEST(Plan, RefusesALimitThatDoesNotBindUnlessItIsOptional) {
  HostFacts root = able_host();
  root.process_limit_binds = false;
  Policy policy = git_policy();
  EXPECT_THAT(plan(policy, root).violations, IsEmpty());
  EXPECT_EQ(plan(policy, root).plan.absent_limits.size(), 2U);
  policy.limits.optional = {};
  EXPECT_THAT(codes(plan(policy, root)),
              testing::ElementsAre("limit.unenforceable", "limit.unenforceable"));
}

CgroupPlace cgroups(CgroupControllers controllers) {
  return {CgroupVersion::v2, {{.directory = "/cg", .controllers = std::move(controllers)}}};
}

PlanResult plan_in(const CgroupPlace& place, const Policy& policy, const HostFacts& host) {
  return plan(policy, host, {.command = "git"}, Tier::b, {.cgroup_place = place});
}

TEST(Plan, BoundsTheWholeTreeByACgroupInsteadOfEachProcess) {
  HostFacts host = able_host();
  const PlanResult without = plan(git_policy(), host);
  EXPECT_FALSE(without.plan.cgroup.has_value());
  EXPECT_NE(limit_of(without.plan, ProcessLimit::memory_data), nullptr);

  host.process_limit_binds = false;  // a cgroup also bounds root's processes
  Policy policy = git_policy();
  policy.limits.optional = {"tmp_bytes"};
  const PlanResult result =
      plan_in(cgroups({CgroupController::memory, CgroupController::pids}), policy, host);
  EXPECT_THAT(result.violations, IsEmpty());
  ASSERT_TRUE(result.plan.cgroup.has_value());
  EXPECT_EQ(result.plan.cgroup->limits.memory_bytes, policy.limits.memory_bytes);
  EXPECT_EQ(result.plan.cgroup->limits.processes, policy.limits.processes);
  EXPECT_EQ(result.plan.cgroup->name, "bawn-x");
  EXPECT_EQ(limit_of(result.plan, ProcessLimit::memory_data), nullptr);
  EXPECT_EQ(limit_of(result.plan, ProcessLimit::processes), nullptr);
}

std::vector<std::string> partial_limits(const PlanResult& result) {
  std::vector<std::string> names;
  for (const PartialLimit& partial : result.plan.partial_limits) names.push_back(partial.name);
  return names;
}

// Limits that are meant for the whole tree, but that some processes or memory escape.
TEST(Plan, AdmitsWhichLimitsSomethingEscapes) {
  const HostFacts host = able_host();
  Policy policy = git_policy();
  policy.limits.cpu_time_ms = 1000;
  policy.limits.memory_bytes = 1 << 20;
  policy.limits.processes = 10;
  EXPECT_THAT(partial_limits(plan(policy, host)),
              testing::UnorderedElementsAre("memory_bytes", "cpu_time_ms", "processes"));
  CgroupPlace place = cgroups({CgroupController::memory, CgroupController::pids});
  EXPECT_THAT(partial_limits(plan_in(place, policy, host)), IsEmpty());
  place.version = CgroupVersion::v1;
  EXPECT_THAT(partial_limits(plan_in(place, policy, host)), testing::ElementsAre("cpu_time_ms"))
      << "only v2 counts the time of processes that have ended";
  EXPECT_THAT(partial_limits(plan(git_policy(), able_host())),
              testing::Not(testing::Contains("open_files")));
}

TEST(Plan, FallsBackToRlimitsForAControllerThatIsMissing) {
  const PlanResult result = plan_in(cgroups({CgroupController::pids}), git_policy(), able_host());
  EXPECT_NE(limit_of(result.plan, ProcessLimit::memory_data), nullptr);
  EXPECT_EQ(limit_of(result.plan, ProcessLimit::processes), nullptr);
}

TEST(Plan, RefusesAShareOfTheProcessorsWithoutACgroup) {
  HostFacts host = able_host();
  host.cgroup_reason = "nobody delegated any";
  Policy policy = git_policy();
  policy.limits.cpu_percent = 50;
  const PlanResult refused = plan(policy, host);
  EXPECT_THAT(codes(refused), testing::ElementsAre("limit.unenforceable"));
  EXPECT_EQ(refused.violations.at(0).message,
            "only a cgroup can enforce limits.cpu_percent: nobody delegated any");
  policy.limits.optional.emplace_back("cpu_percent");
  EXPECT_THAT(plan(policy, host).violations, IsEmpty());
}

TEST(Plan, RefusesAParentForCgroupsThatCannotBeUsed) {
  HostFacts host = able_host();
  host.cgroup_reason = "'/cg/runs' is not there";
  Policy policy = git_policy();
  policy.limits.cgroup_parent = "/cg/runs";
  const PlanResult refused = plan(policy, host);
  EXPECT_THAT(codes(refused), testing::ElementsAre("limit.cgroup_unavailable"));
  EXPECT_THAT(refused.violations.at(0).message, HasSubstr("'/cg/runs' is not there"));
  policy.limits.cgroup_parent = "";
  EXPECT_THAT(plan(policy, host).violations, IsEmpty());
}

TEST(Plan, ARequestMayShortenTheWallTime) {
  const PlanResult result = plan(git_policy(), able_host(), {.command = "git", .timeout_ms = 77});
  EXPECT_EQ(result.plan.limits.wall_time_ms, 77U);
}

TEST(Plan, TellsTheCommandThatItIsInASandbox) {
  const PlanResult result = plan(git_policy(), able_host());
  EXPECT_THAT(result.plan.environment, Contains("BAWN_RUN_ID=run-1"));
  EXPECT_THAT(result.plan.environment, Contains("SANDBOX_RUNTIME=1"));
  EXPECT_THAT(result.plan.environment, Contains("TMPDIR=/tmp/bawn-x/tmp"));
}

TEST(Plan, RefusesBackgroundRunsItCannotGive) {
  Policy policy = git_policy();
  policy.background.processes = 1;
  EXPECT_THAT(codes(plan(policy, able_host(), {.command = "git", .background = true})),
              testing::ElementsAre("background.unavailable"));
}

// The violation names the key that needs tier c, and nothing else is refused.
TEST(Plan, RefusesACommandThatIsProcess1WithoutNamespaces) {
  Policy policy = git_policy();
  EXPECT_THAT(plan(policy, able_host()).violations, IsEmpty());
  policy.identity.as_pid_1 = true;
  const PlanResult refused = plan(policy, able_host());
  ASSERT_THAT(codes(refused), testing::ElementsAre("tier.unavailable"));
  EXPECT_EQ(refused.violations[0].subject, "identity.as_pid_1");
  EXPECT_EQ(refused.violations[0].message, "identity.as_pid_1 needs tier c");
  EXPECT_EQ(refused.violations[0].hint,
            "try --tier namespaces (policy key: tier.use), or leave identity.as_pid_1 out");
}

TerminalPlan terminal_of(Tier tier, std::uint32_t callers, bool pty, Policy policy = git_policy()) {
  const FakeLookup lookup = tree();
  const Request request{.command = "git", .pty = pty};
  const Verdict verdict =
      validate(policy, request, {.tier = tier, .lookup = &lookup, .workspace = "/work"});
  return planned(policy, request, verdict, tier,
                 {.run_id = "run-1", .private_name = "bawn-x", .terminals = callers}, able_host(),
                 lookup)
      .plan.terminal;
}

TEST(Plan, GivesNoConfinedCommandTheCallersTerminal) {
  EXPECT_EQ(terminal_of(Tier::c, 0, false).use, TerminalUse::none);
  EXPECT_EQ(terminal_of(Tier::c, 0b101, false).use, TerminalUse::own);
  EXPECT_EQ(terminal_of(Tier::c, 0b101, false).stdio, 0b101U);
  EXPECT_EQ(terminal_of(Tier::b, 0b101, false).use, TerminalUse::own);
  EXPECT_EQ(terminal_of(Tier::unconfined, 0b101, false).use, TerminalUse::the_callers);
}

TEST(Plan, LetsACommandThatIsProcess1LeadItsTerminal) {
  Policy policy = git_policy();
  EXPECT_FALSE(terminal_of(Tier::c, 0b111, false, policy).led_by_command);
  policy.identity.as_pid_1 = true;
  EXPECT_TRUE(terminal_of(Tier::c, 0b111, false, policy).led_by_command);
}

TEST(Plan, GivesATerminalForOutputOnRequest) {
  EXPECT_EQ(terminal_of(Tier::c, 0, true).use, TerminalUse::own);
  EXPECT_EQ(terminal_of(Tier::c, 0, true).stdio, 0b110U);
}

// A policy that a Windows job can enforce completely.
Policy job_policy() {
  Policy policy = git_policy();
  policy.egress.mode = EgressMode::preflight;
  return policy;
}

HostFacts windows_host() {
  HostFacts host = windows_facts();
  host.private_parent = "/tmp";
  return host;
}

TEST(JobPlan, LimitsTheJobAndGoesWithoutTheRest) {
  const PlanResult result = plan(job_policy(), windows_host());
  EXPECT_THAT(codes(result), IsEmpty());
  ASSERT_NE(limit_of(result.plan, ProcessLimit::processes), nullptr);
  EXPECT_EQ(limit_of(result.plan, ProcessLimit::processes)->value, 64U);
  EXPECT_NE(limit_of(result.plan, ProcessLimit::memory_data), nullptr);
  EXPECT_NE(limit_of(result.plan, ProcessLimit::cpu_seconds), nullptr);
  std::vector<std::string> absent;
  for (const AbsentLimit& limit : result.plan.absent_limits) absent.push_back(limit.name);
  EXPECT_THAT(absent, testing::UnorderedElementsAre("open_files", "file_bytes", "tmp_bytes"));
}

TEST(JobPlan, RefusesLimitsThatTheSystemDoesNotKeep) {
  HostFacts host = windows_host();
  for (const char* limit : {"memory_bytes", "processes", "cpu_time_ms"})
    host.lacking_limits.push_back({limit, "not kept"});
  Policy policy = job_policy();
  policy.limits.optional = {"open_files", "file_bytes", "tmp_bytes"};
  const PlanResult refused = plan(policy, host);
  std::vector<std::string> subjects;
  for (const Violation& violation : refused.violations) subjects.push_back(violation.subject);
  EXPECT_THAT(subjects, testing::UnorderedElementsAre("limits.memory_bytes", "limits.processes",
                                                      "limits.cpu_time_ms"));
  EXPECT_EQ(limit_of(refused.plan, ProcessLimit::processes), nullptr);
  EXPECT_EQ(limit_of(refused.plan, ProcessLimit::cpu_seconds), nullptr);
}

TEST(JobPlan, RefusesWhatOnlyASandboxCouldEnforce) {
  Policy policy = job_policy();
  policy.egress.mode = EgressMode::block_all;
  policy.workspace.mode = WorkspaceMode::read_only;
  policy.workspace.hide = {"secrets"};
  EXPECT_THAT(codes(plan(policy, windows_host())), testing::SizeIs(3));
  policy.identity.as_pid_1 = true;
  EXPECT_THAT(codes(plan(policy, windows_host())), testing::SizeIs(4));
}

TEST(JobPlan, RefusesIdsThatOnlyANamespaceHas) {
  Policy policy = job_policy();
  EXPECT_THAT(codes(plan(policy, windows_host())), IsEmpty());
  policy.identity.id_ranges = true;
  const PlanResult refused = plan(policy, windows_host());
  ASSERT_EQ(codes(refused), std::vector<std::string>{"tier.unavailable"});
  EXPECT_EQ(refused.violations[0].message, "identity.id_ranges needs Linux");
}

TEST(Plan, RefusesIdsThatOnlyANamespaceHas) {
  Policy policy = git_policy();
  policy.identity.id_ranges = true;
  const PlanResult refused = plan(policy, able_host());
  ASSERT_EQ(codes(refused), std::vector<std::string>{"tier.unavailable"});
  EXPECT_EQ(refused.violations[0].message, "identity.id_ranges needs tier c");
}

// If the run had a private directory for it, the policy's value was once replaced.
TEST(Plan, LetsThePolicySetHomeAndTmpdir) {
  Policy policy = git_policy();
  policy.workspace.mode = WorkspaceMode::private_dir;
  EXPECT_THAT(plan(policy, able_host()).plan.environment, Contains("TMPDIR=/tmp/bawn-x/tmp"));
  EXPECT_THAT(plan(policy, able_host()).plan.environment, Contains("HOME=/tmp/bawn-x/work"));
  policy.environment.set = {{"HOME", "/srv"}, {"TMPDIR", "/srv/docs"}};
  EXPECT_THAT(plan(policy, able_host()).plan.environment, Contains("TMPDIR=/srv/docs"));
  EXPECT_THAT(plan(policy, able_host()).plan.environment, Contains("HOME=/srv"));
}

class PlanWithoutASandbox : public ::testing::Test {
 protected:
  [[nodiscard]] Violations refusals() const {
    const FakeLookup lookup = tree();
    const Request request{.command = "git"};
    const Verdict verdict = validate(
        policy_, request, {.tier = Tier::unconfined, .lookup = &lookup, .workspace = "/work"});
    EXPECT_TRUE(verdict.allowed());
    return planned(policy_, request, verdict, Tier::unconfined,
                   {.run_id = "run-1", .private_name = "bawn-x"}, able_host(), lookup)
        .violations;
  }
  [[nodiscard]] std::vector<std::string> subjects() const {
    std::vector<std::string> out;
    for (const Violation& violation : refusals()) {
      EXPECT_EQ(violation.code, "tier.unavailable");
      out.push_back(violation.subject);
    }
    return out;
  }

  Policy policy_ = *preset("disabled");
};

TEST_F(PlanWithoutASandbox, TakesItsPresetAsItIs) { EXPECT_THAT(subjects(), IsEmpty()); }

// Such a run once ignored every key of `identity` but as_pid_1: a policy of root that names user
// 1001 ran as root.
TEST_F(PlanWithoutASandbox, RefusesToRunAsAnotherUser) {
  policy_.identity = {
      .as_root = true, .uid = 1001, .gid = 1001, .id_ranges = true, .as_pid_1 = true};
  EXPECT_THAT(subjects(), testing::ElementsAre("identity.as_root", "identity.uid", "identity.gid",
                                               "identity.id_ranges", "identity.as_pid_1"));
  EXPECT_EQ(refusals()[0].message, "identity.as_root needs tier c on Linux");
}

// `--mode disabled --egress block_all --hide key` once ran with the network and the key, and no
// receipt said so.
TEST_F(PlanWithoutASandbox, RefusesEveryRestrictionThatOnlyASandboxEnforces) {
  policy_.system_calls.profile = "strict";
  policy_.workspace.mode = WorkspaceMode::read_only;
  policy_.workspace.hide = {"key"};
  policy_.workspace.protect = {".git"};
  policy_.filesystem.read = {{"/srv/docs", "/docs"}};
  policy_.executables.allow_all = false;
  policy_.executables.allow = {"git"};
  policy_.executables.interpreters = false;
  policy_.executables.from_workspace = false;
  policy_.arguments.refuse_paths = {"/etc"};
  policy_.egress.mode = EgressMode::block_all;
  EXPECT_THAT(
      subjects(),
      testing::ElementsAre("/srv/docs", "system_calls.profile", "workspace.mode", "workspace.hide",
                           "workspace.protect", "executables.allow", "executables.interpreters",
                           "executables.from_workspace", "arguments.refuse_paths", "egress.mode"));
  const Violation network = refusals().back();
  EXPECT_EQ(network.message,
            "egress.mode 'block_all' needs a sandbox, and this policy asks for none");
  EXPECT_EQ(network.hint,
            "try --tier auto (policy key: tier.use), or --egress allow_all, or --egress preflight, "
            "which does not isolate the network (policy key: egress.mode)");
}

TEST_F(PlanWithoutASandbox, RefusesStrictEgressWithAndWithoutHosts) {
  policy_.egress.mode = EgressMode::strict;
  EXPECT_THAT(subjects(), testing::ElementsAre("egress.mode"));
  policy_.egress.hosts = {{"example.com", 443}};
  EXPECT_THAT(subjects(), testing::ElementsAre("egress.mode"));
}

// The validator checks some of these without a sandbox too. Limits and private directories need
// none. The rest only widens access.
TEST_F(PlanWithoutASandbox, TakesWhatHoldsWithoutOne) {
  policy_.workspace.mode = WorkspaceMode::private_dir;
  policy_.filesystem = {.read = {"/srv/docs"}, .write = {"/srv/docs"}, .tmp = Tmp::private_dir};
  policy_.executables.block = {"rm"};
  policy_.executables.caller_path = true;
  policy_.arguments.refuse_patterns = {"| sh"};
  policy_.egress = {
      .mode = EgressMode::preflight, .hosts = {{"example.com", 0}}, .dns_suffixes = {}};
  policy_.macos = {.loopback = true, .trust_service = true};
  policy_.limits.wall_time_ms = 1000;
  policy_.limits.open_files = 64;
  EXPECT_THAT(subjects(), IsEmpty());
}

}  // namespace
}  // namespace bawn
