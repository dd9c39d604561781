#include "backend/macos/sandbox_profile.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <set>

#include "backend/macos/sbpl.h"
#include "base/text.h"
#include "host/system_facts.h"
#include "plan/plan_parts.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kHome = "/Users/me";

std::map<std::string, std::string> mac_tree() {
  return {{"/bin/sh", "exe"},
          {"/usr/bin/git", "exe"},
          {"/System/Library", "dir"},
          {"/opt/homebrew/bin", "dir"},
          {"/private/etc/hosts", "file"},
          {"/private/var/run/mDNSResponder", "device"},
          {"/private/tmp", "dir"},
          {"/etc", "link:private/etc"},
          {"/tmp", "link:private/tmp"},
          {"/dev/fd", "dir"},
          {"/dev/null", "device"},
          {"/Users/me/.ssh/id_ed25519", "file"},
          {"/Users/me/.cargo/bin/rg", "exe"},
          {"/Users/me/.rustup", "dir"},
          {"/Users/me/code/.git/hooks", "dir"},
          {"/Users/me/code/.env", "file"},
          {"/Users/me/sdk", "dir"},
          {"/Users/me/agent.sock", "device"},
          {"/Users/me/out", "dir"}};
}

Policy mac_policy(std::string_view from = "workspace") {
  Policy policy = *preset(from);
  if (!policy.executables.allow_all) policy.executables.allow = {"git"};
  return policy;
}

struct TestSetup {
  std::map<std::string, std::string> tree = mac_tree();
  std::string workspace = "/Users/me/code";
  RunIdentity identity = {.run_id = "run-1", .private_name = "bawn-x", .home = std::string(kHome)};

  [[nodiscard]] PlanResult plan(const Policy& policy,
                                const Request& request = {.command = "git"}) const {
    const FakeLookup lookup(tree);
    const std::string root = policy.workspace.mode == WorkspaceMode::private_dir ? "" : workspace;
    const Verdict verdict =
        validate(policy, request, {.tier = Tier::c, .lookup = &lookup, .workspace = root});
    EXPECT_TRUE(verdict.allowed());
    return test::planned(policy, request, verdict, Tier::c, identity, macos_facts(), lookup);
  }

  [[nodiscard]] SandboxProfile profile(const Policy& policy) const {
    const PlanResult result = plan(policy);
    EXPECT_THAT(result.violations, IsEmpty());
    return make_sandbox_profile(result.plan);
  }
};

std::string value_of(const SandboxProfile& profile, std::string_view path) {
  for (const SandboxProfileParameter& parameter : profile.parameters) {
    if (parameter.value == path) return parameter.name;
  }
  return "";
}

std::string with_parameters(const SandboxProfile& profile) {
  std::string out = profile.text;
  out += "\n";
  for (const SandboxProfileParameter& parameter : profile.parameters)
    out += concat("; ", parameter.name, "=", parameter.value, "\n");
  return out;
}

// Every operation that bawn means to use. A rule with any other operation does not belong in a
// profile.
const std::set<std::string>& meant_operations() {
  static const std::set<std::string> operations = {
      "file-ioctl",   "file-map-executable", "file-read*",       "file-read-metadata",
      "file-write*",  "file-write-data",     "ipc-posix-sem",    "mach-lookup",
      "network-bind", "network-inbound",     "network-outbound", "process-exec*",
      "process-fork", "process-info*",       "signal",           "sysctl-read",
      "system-socket"};
  return operations;
}

const std::set<std::string>& meant_services() {
  static const std::set<std::string> services = {
      "com.apple.system.opendirectoryd.libinfo", "com.apple.SystemConfiguration.DNSConfiguration",
      "com.apple.SystemConfiguration.configd", "com.apple.trustd", "com.apple.trustd.agent"};
  return services;
}

void collect_parameters(const SbplNode& node, std::multiset<std::string>& out) {
  if (node.head() == "param") {
    ASSERT_EQ(node.items.size(), 2U);
    EXPECT_EQ(node.items[1].kind, SbplNode::Kind::text);
    out.insert(node.items[1].value);
  }
  for (const SbplNode& item : node.items) collect_parameters(item, out);
}

void expect_meant_filter(const SbplNode& filter) {
  static const std::set<std::string_view> heads = {
      "global-name", "literal",     "local",
      "regex",       "remote",      "socket-domain",
      "subpath",     "sysctl-name", "sysctl-name-prefix",
      "target"};
  EXPECT_TRUE(heads.contains(filter.head())) << filter.head();
  if (filter.head() == "global-name") {
    EXPECT_TRUE(meant_services().contains(filter.items[1].value)) << filter.items[1].value;
  }
  if (filter.head() == "socket-domain") {
    EXPECT_TRUE(filter.items[1].is_word("AF_UNIX"));
  }
  if (filter.head() == "target") {
    EXPECT_TRUE(filter.items[1].is_word("same-sandbox"));
  }
  if (filter.head() == "subpath") {
    EXPECT_EQ(filter.items[1].head(), "param") << "a directory is always a parameter";
  }
}

void expect_meant(const SandboxProfile& profile) {
  const SbplText text = parse_sbpl(profile.text);
  ASSERT_EQ(text.error, "");
  ASSERT_GT(text.forms.size(), 2U);
  EXPECT_EQ(text.forms[0].head(), "version");
  const std::vector<SbplRule> rules = rules_of(text);
  EXPECT_FALSE(rules[0].allows);
  EXPECT_EQ(rules[0].operations, std::vector<std::string>{"default"});
  for (const SbplRule& rule : rules) {
    ASSERT_FALSE(rule.operations.empty());
    if (!rule.allows) continue;
    for (const std::string& operation : rule.operations) {
      EXPECT_TRUE(meant_operations().contains(operation)) << operation;
      if (!rule.filters.empty()) continue;
      EXPECT_TRUE(operation == "process-fork" || operation == "ipc-posix-sem")
          << operation << " is allowed without a filter";
    }
    for (const SbplNode& filter : rule.filters) expect_meant_filter(filter);
  }
  std::multiset<std::string> used;
  for (const SbplNode& form : text.forms) collect_parameters(form, used);
  std::set<std::string> names;
  for (const SandboxProfileParameter& parameter : profile.parameters) {
    EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name << " twice";
    EXPECT_TRUE(used.contains(parameter.name)) << parameter.name << " is not used";
    EXPECT_TRUE(parameter.value.starts_with('/')) << parameter.value;
    EXPECT_EQ(parameter.name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"),
              std::string::npos);
  }
  for (const std::string& name : used) EXPECT_TRUE(names.contains(name)) << name << " is not given";
}

class GoldenSandboxProfile : public testing::TestWithParam<const char*> {};

// BAWN_WRITE_GOLDEN=1 writes the files anew; review them before you commit them.
TEST_P(GoldenSandboxProfile, OfThePresetIsAsReviewed) {
  const SandboxProfile profile = TestSetup().profile(mac_policy(GetParam()));
  expect_meant(profile);
  const std::string path =
      concat(std::string_view(BAWN_GOLDEN_PROFILES), "/", std::string_view(GetParam()), ".sb");
  if (std::getenv("BAWN_WRITE_GOLDEN") != nullptr)
    std::ofstream(path, std::ios::binary) << with_parameters(profile);
  std::ifstream file(path, std::ios::binary);
  const std::string golden{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_EQ(with_parameters(profile), golden);
}

INSTANTIATE_TEST_SUITE_P(Preset, GoldenSandboxProfile,
                         testing::Values("workspace", "agent", "basic", "strict",
                                         "network-isolated"),
                         [](const auto& one) {
                           std::string name = one.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST(SandboxProfileText, ShowsTheSystemReadOnlyAndTheWorkspaceWritable) {
  const SandboxProfile profile = TestSetup().profile(mac_policy());
  EXPECT_TRUE(allows(profile, "file-read-data", "/bin/sh"));
  EXPECT_TRUE(allows(profile, "process-exec", "/bin/sh"));
  EXPECT_TRUE(allows(profile, "file-map-executable", "/System/Library/x.dylib"));
  EXPECT_FALSE(allows(profile, "file-write-data", "/bin/sh"));
  EXPECT_TRUE(allows(profile, "file-write-create", "/Users/me/code/new"));
  EXPECT_TRUE(allows(profile, "file-read-data", "/Users/me/code/.env"));
  EXPECT_TRUE(allows(profile, "file-write-data", "/dev/null"));
}

TEST(SandboxProfileText, ShowsNothingElseOfTheHome) {
  const SandboxProfile profile = TestSetup().profile(mac_policy());
  for (const char* path :
       {"/Users/me/.ssh/id_ed25519", "/Users/me/.ssh", "/Users/me/code-evil/x", "/Users/other/x",
        "/private/etc/master.passwd", "/private/var/folders/x", "/Volumes/disk/x"}) {
    EXPECT_FALSE(allows(profile, "file-read-data", path)) << path;
    EXPECT_FALSE(allows(profile, "file-read-metadata", path)) << path;
    EXPECT_FALSE(allows(profile, "file-write-data", path)) << path;
  }
  EXPECT_TRUE(allows(profile, "file-read-metadata", "/Users/me")) << "on the way to the workspace";
  EXPECT_FALSE(allows(profile, "file-read-data", "/Users/me")) << "not what is in it";
}

TEST(SandboxProfileText, GivesAPrivateHomeAndTemporaryDirectory) {
  const SandboxProfile profile = TestSetup().profile(mac_policy());
  EXPECT_TRUE(allows(profile, "file-write-create", "/private/tmp/bawn-x/home/.cache"));
  EXPECT_TRUE(allows(profile, "file-write-create", "/private/tmp/bawn-x/tmp/a"));
  EXPECT_FALSE(allows(profile, "file-write-create", "/private/tmp/bawn-y/tmp/a"));
  EXPECT_FALSE(allows(profile, "file-read-data", "/private/tmp/other"));
  const PlanResult result = TestSetup().plan(mac_policy());
  EXPECT_THAT(result.plan.environment, Contains("HOME=/private/tmp/bawn-x/home"));
  EXPECT_THAT(result.plan.environment, Contains("TMPDIR=/private/tmp/bawn-x/tmp"));
}

TEST(SandboxProfileText, GrantsAreReadableOrWritable) {
  Policy policy = mac_policy();
  policy.filesystem.read = {"/Users/me/sdk", "/etc/hosts"};
  policy.filesystem.write = {"/Users/me/out"};
  const SandboxProfile profile = TestSetup().profile(policy);
  EXPECT_TRUE(allows(profile, "file-read-data", "/Users/me/sdk/include"));
  EXPECT_FALSE(allows(profile, "file-write-data", "/Users/me/sdk/include"));
  EXPECT_TRUE(allows(profile, "file-write-data", "/Users/me/out/a"));
  EXPECT_NE(value_of(profile, "/private/etc/hosts"), "") << "by its real name";
  EXPECT_FALSE(allows(profile, "file-read-data", "/private/etc/hosts/below"))
      << "a file is not a directory";
}

TEST(SandboxProfileText, ToolsOfTheCallersPathAreReadable) {
  TestSetup setup;
  setup.identity.search = {"/Users/me/.cargo/bin"};
  const SandboxProfile profile = setup.profile(mac_policy());
  EXPECT_TRUE(allows(profile, "process-exec", "/Users/me/.cargo/bin/rg"));
  EXPECT_TRUE(allows(profile, "file-read-data", "/Users/me/.rustup/toolchains"));
  EXPECT_FALSE(allows(profile, "file-read-data", "/Users/me/.cargo/credentials.toml"));
  EXPECT_FALSE(allows(profile, "file-write-data", "/Users/me/.cargo/bin/rg"));
}

// "/Users" on the PATH was once readable like any directory of tools, with every home in it.
TEST(SandboxProfileText, ADirectoryOfThePathThatHoldsTheHomeIsNotReadable) {
  TestSetup setup;
  setup.tree["/Volumes/home"] = "link:/Users/me";
  for (const char* home : {"/Users/me", "/Volumes/home"}) {
    setup.identity.home = home;
    setup.identity.search = {"/", "/Users", "/Users/me", "/Users/me/sdk"};
    const SandboxProfile profile = setup.profile(mac_policy());
    EXPECT_FALSE(allows(profile, "file-read-data", "/Users/me/.ssh/id_ed25519")) << home;
    EXPECT_TRUE(allows(profile, "file-read-data", "/Users/me/sdk/tool")) << home;
  }
}

TEST(SandboxProfileText, HiddenAndProtectedPathsAreExceptions) {
  Policy policy = mac_policy();
  policy.workspace.hide = {".env"};
  policy.workspace.protect = {".git/hooks", "missing/config"};
  const SandboxProfile profile = TestSetup().profile(policy);
  expect_meant(profile);
  EXPECT_FALSE(allows(profile, "file-read-data", "/Users/me/code/.env"));
  EXPECT_FALSE(allows(profile, "file-read-metadata", "/Users/me/code/.env"));
  EXPECT_FALSE(allows(profile, "file-write-unlink", "/Users/me/code/.env"));
  EXPECT_FALSE(allows(profile, "network-outbound", "/Users/me/code/.env"));
  EXPECT_TRUE(allows(profile, "file-read-data", "/Users/me/code/.git/hooks/pre-commit"));
  EXPECT_FALSE(allows(profile, "file-write-create", "/Users/me/code/.git/hooks/pre-commit"));
  EXPECT_FALSE(allows(profile, "file-write-create", "/Users/me/code/missing/config"));
  EXPECT_TRUE(allows(profile, "file-write-create", "/Users/me/code/.git/index"));
}

TEST(SandboxProfileText, WhatLeadsToAnExceptionCannotBeMovedAway) {
  Policy policy = mac_policy();
  policy.workspace.protect = {".git/hooks"};
  const SandboxProfile profile = TestSetup().profile(policy);
  EXPECT_FALSE(allows(profile, "file-write-unlink", "/Users/me/code/.git"));
  EXPECT_FALSE(allows(profile, "file-write-unlink", "/Users/me/code"));
  EXPECT_TRUE(allows(profile, "file-write-unlink", "/Users/me/code/.env")) << "others can";
  policy.workspace = {.git_hooks = GitHooksMode::open};
  EXPECT_TRUE(allows(TestSetup().profile(policy), "file-write-unlink", "/Users/me/code/.git"));
}

// A grant around the workspace once let the command rename a directory above it, together with
// everything that the policy protects there.
TEST(SandboxProfileText, WhatLeadsToAnExceptionCannotBeMovedAwayFromAGrantEither) {
  TestSetup setup;
  setup.workspace = "/Users/me/out/a/code";
  setup.tree[setup.workspace + "/.git/hooks"] = "dir";
  Policy policy = mac_policy();
  policy.workspace.git_hooks = GitHooksMode::open;
  policy.filesystem.write = {"/Users/me/out"};
  EXPECT_TRUE(allows(setup.profile(policy), "file-write-unlink", "/Users/me/out/a"))
      << "the control";
  policy.workspace.protect = {".git/hooks"};
  const SandboxProfile profile = setup.profile(policy);
  expect_meant(profile);
  for (const char* directory : {"", "/a", "/a/code", "/a/code/.git"})
    EXPECT_FALSE(allows(profile, "file-write-unlink", concat("/Users/me/out", directory)))
        << directory;
  EXPECT_TRUE(allows(profile, "file-write-create", "/Users/me/out/a/new"));
  EXPECT_TRUE(allows(profile, "file-write-unlink", "/Users/me/out/b"));
}

TEST(SandboxProfileText, AProtectedNameThatDoesNotExistIsLookedForAfterTheRun) {
  Policy policy = mac_policy();
  policy.workspace.protect = {"missing/config", ".git/hooks"};
  const PlanResult result = TestSetup().plan(policy);
  EXPECT_THAT(result.plan.still_missing, testing::ElementsAre("/Users/me/code/missing/config"));
}

TEST(SandboxProfileText, NoNetworkMeansNone) {
  const SandboxProfile profile = TestSetup().profile(mac_policy());
  for (const char* addresses : {"*:*", "localhost:*"}) {
    EXPECT_FALSE(allows_filter(profile, "network-outbound", "remote ip", addresses));
    EXPECT_FALSE(allows_filter(profile, "network-bind", "local ip", addresses));
  }
  EXPECT_FALSE(allows(profile, "network-outbound", "/private/var/run/mDNSResponder"));
}

TEST(SandboxProfileText, LoopbackIsOpenedByItsSwitchOnly) {
  Policy policy = mac_policy();
  policy.macos.loopback = true;
  const SandboxProfile profile = TestSetup().profile(policy);
  expect_meant(profile);
  EXPECT_TRUE(allows_filter(profile, "network-outbound", "remote ip", "localhost:*"));
  EXPECT_TRUE(allows_filter(profile, "network-bind", "local ip", "localhost:*"));
  EXPECT_FALSE(allows_filter(profile, "network-outbound", "remote ip", "*:*"));
}

TEST(SandboxProfileText, AnOpenNetworkCanResolveNames) {
  const SandboxProfile profile = TestSetup().profile(mac_policy("basic"));
  EXPECT_TRUE(allows_filter(profile, "network-outbound", "remote ip", "*:*"));
  EXPECT_TRUE(allows(profile, "network-outbound", "/private/var/run/mDNSResponder"));
}

// A connection to a path socket is network-outbound, not file access. The sockets of docker and of
// agents are refused with any network policy.
TEST(SandboxProfileText, UnixSocketsAreRefusedUnlessGranted) {
  for (const char* from : {"workspace", "basic"}) {
    Policy policy = mac_policy(from);
    const SandboxProfile closed = TestSetup().profile(policy);
    EXPECT_FALSE(allows(closed, "network-outbound", "/Users/me/agent.sock"));
    EXPECT_FALSE(allows(closed, "network-outbound", "/private/var/run/docker.sock"));
    EXPECT_TRUE(allows(closed, "network-outbound", "/Users/me/code/own.sock"));
    policy.filesystem.read = {"/Users/me/agent.sock"};
    EXPECT_FALSE(allows(TestSetup().profile(policy), "network-outbound", "/Users/me/agent.sock"))
        << "only to look at";
    policy.filesystem.read = {};
    policy.filesystem.write = {"/Users/me/agent.sock"};
    EXPECT_TRUE(allows(TestSetup().profile(policy), "network-outbound", "/Users/me/agent.sock"));
  }
}

TEST(SandboxProfileText, TheTrustServiceIsOpenedByItsSwitchOnly) {
  Policy policy = mac_policy("basic");
  EXPECT_FALSE(allows_filter(TestSetup().profile(policy), "mach-lookup", "global-name",
                             "com.apple.trustd.agent"));
  policy.macos.trust_service = true;
  const SandboxProfile profile = TestSetup().profile(policy);
  expect_meant(profile);
  EXPECT_TRUE(allows_filter(profile, "mach-lookup", "global-name", "com.apple.trustd.agent"));
}

TEST(SandboxProfileText, ServicesOfTheSystemAreRefused) {
  for (const char* from : {"workspace", "basic"}) {
    const SandboxProfile profile = TestSetup().profile(mac_policy(from));
    for (const char* operation :
         {"appleevent-send", "job-creation", "lsopen", "mach-register", "iokit-open", "file-link",
          "process-info-pidinfo", "signal", "nvram-get", "system-privilege"}) {
      EXPECT_FALSE(allows(profile, operation, "/x")) << operation;
    }
    for (const char* service :
         {"com.apple.pasteboard.1", "com.apple.coreservices.appleevents", "com.apple.lsd.mapdb",
          "com.apple.SecurityServer", "com.apple.tccd"}) {
      EXPECT_FALSE(allows_filter(profile, "mach-lookup", "global-name", service)) << service;
    }
    EXPECT_TRUE(allows_filter(profile, "signal", "target", "same-sandbox"));
  }
}

TEST(SandboxProfileText, TheCallersTerminalCanBeAskedAndNoOtherOpened) {
  TestSetup setup;
  EXPECT_FALSE(allows(setup.profile(mac_policy()), "file-ioctl", "/dev/ttys003"));
  setup.identity.terminals = 0b111;
  const SandboxProfile profile = setup.profile(mac_policy());
  expect_meant(profile);
  EXPECT_TRUE(allows(profile, "file-ioctl", "/dev/ttys003"));
  EXPECT_FALSE(allows(profile, "file-read-data", "/dev/ttys003"));
  EXPECT_FALSE(allows(profile, "file-write-data", "/dev/ttys003"));
}

TEST(SandboxProfilePlan, AHostListIsRefusedWithTheReason) {
  Policy policy = mac_policy();
  policy.egress = {EgressMode::strict, {{"example.com", 443}}, {}};
  const PlanResult result = TestSetup().plan(policy);
  ASSERT_EQ(result.violations.size(), 1U);
  EXPECT_EQ(result.violations[0].code, "egress.unavailable");
  EXPECT_THAT(result.violations[0].message, HasSubstr("addresses and not names"));
  policy.egress.hosts.clear();
  EXPECT_THAT(TestSetup().plan(policy).violations, IsEmpty());
}

TEST(SandboxProfilePlan, AMemoryLimitIsAbsentIfItMayBeAndRefusedOtherwise) {
  Policy policy = mac_policy("agent");
  const PlanResult absent = TestSetup().plan(policy);
  EXPECT_THAT(absent.violations, IsEmpty());
  ASSERT_EQ(absent.plan.absent_limits.size(), 2U);
  EXPECT_EQ(absent.plan.absent_limits[0].name, "memory_bytes");
  for (const LimitPlan& limit : absent.plan.process_limits)
    EXPECT_NE(limit.limit, ProcessLimit::memory_data);
  policy.limits.optional = {"tmp_bytes"};
  const PlanResult refused = TestSetup().plan(policy);
  ASSERT_EQ(refused.violations.size(), 1U);
  EXPECT_EQ(refused.violations[0].code, "limit.unenforceable");
  EXPECT_EQ(refused.violations[0].subject, "limits.memory_bytes");
}

TEST(SandboxProfilePlan, AWorkspaceThatIsOfTheSystemIsRefused) {
  TestSetup setup;
  for (const char* place : {"/", "/opt/homebrew", "/System"}) {
    setup.workspace = place;
    const PlanResult result = setup.plan(mac_policy());
    ASSERT_EQ(result.violations.size(), 1U) << place;
    EXPECT_EQ(result.violations[0].code, "workspace.system");
  }
}

TEST(SandboxProfilePlan, WhatOnlyNamespacesGiveIsRefused) {
  Policy policy = mac_policy();
  policy.identity.as_root = true;
  policy.system_calls.profile = "strict";
  const PlanResult result = TestSetup().plan(policy);
  ASSERT_EQ(result.violations.size(), 2U);
  EXPECT_EQ(result.violations[0].message, "identity.as_root needs Linux");
  policy.identity.as_root = false;
  policy.identity.as_pid_1 = true;
  EXPECT_EQ(TestSetup().plan(policy).violations.at(0).message, "identity.as_pid_1 needs Linux");
}

// Names that try to end a string, to begin a rule, or to be read as something else.
class NastyPath : public testing::TestWithParam<std::string> {};

TEST_P(NastyPath, IsOnlyEverAParameter) {
  const std::string directory = concat("/Users/me/", GetParam());
  TestSetup setup;
  setup.tree[directory + "/.git/hooks"] = "dir";
  setup.tree[directory + "/secret"] = "file";
  setup.tree["/Users/me/read " + GetParam()] = "dir";
  setup.tree["/Users/me/write " + GetParam()] = "dir";
  setup.workspace = directory;
  Policy policy = mac_policy();
  policy.filesystem.read = {"/Users/me/read " + GetParam()};
  policy.filesystem.write = {"/Users/me/write " + GetParam()};
  policy.workspace.hide = {"secret"};
  policy.workspace.protect = {".git/hooks"};
  const SandboxProfile profile = setup.profile(policy);
  expect_meant(profile);
  EXPECT_THAT(profile.text, Not(HasSubstr("Users")));
  EXPECT_TRUE(allows(profile, "file-write-data", directory + "/x"));
  EXPECT_FALSE(allows(profile, "file-read-data", directory + "/secret"));
  EXPECT_FALSE(allows(profile, "file-write-data", directory + "/.git/hooks/x"));
  EXPECT_FALSE(allows(profile, "file-read-data", "/Users/me/.ssh/id_ed25519"));

  // The rules are the same as for a plain name: no part of the name has become a rule.
  TestSetup plain;
  plain.tree["/Users/me/plain/.git/hooks"] = "dir";
  plain.tree["/Users/me/plain/secret"] = "file";
  plain.workspace = "/Users/me/plain";
  policy.filesystem.read = {"/Users/me/sdk"};
  policy.filesystem.write = {"/Users/me/out"};
  EXPECT_EQ(profile.text, plain.profile(policy).text);
}

INSTANTIATE_TEST_SUITE_P(Corpus, NastyPath,
                         testing::Values("a\"b", "a\") (allow default) (literal \"", "(", ")",
                                         "))((", "a;b", "a\nb", "a\n(allow default)\n", "a\rb",
                                         "a\tb", "a\\b", "a\\", "#\"x\"", "'quoted'", "`x`", "$(x)",
                                         "$HOME", "a=b", "=", "-D", "-p", "--", "a b ", " ", "*",
                                         "a?[b]", "^a$", "~", "%s%n", "(param \"READ_0\")",
                                         "READ_0=", "\x01\x1b[31m", "\xc3\xa9", "e\xcc\x81",
                                         "\xe2\x80\xae"
                                         "gnp",
                                         "\xf0\x9f\x98\xba", "\xff\xfe", "a.", "...", "con", "A",
                                         std::string(255, 'x')));

}  // namespace
}  // namespace bawn
