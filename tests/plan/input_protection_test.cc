#include "plan/input_protection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/system_facts.h"
#include "plan/plan.h"
#include "plan/plan_parts.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using test::planned;
using test::root_of;

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Input : public testing::Test {
 protected:
  [[nodiscard]] InputFile read(const std::string& path) const {
    const Located file = lookup_.locate(path);
    return {"--policy", path, file.device, file.inode};
  }

  [[nodiscard]] InputProtection protection(const InputFile& input,
                                           Boundary boundary = Boundary::namespaces) const {
    return protect_inputs(
        std::span(&input, 1), boundary,
        make_scope(policy_.workspace.mode, policy_.filesystem, lookup_.locate("/work"), lookup_),
        lookup_);
  }

  [[nodiscard]] static std::vector<std::string> codes(const Violations& violations) {
    std::vector<std::string> out;
    for (const Violation& violation : violations) out.push_back(violation.code);
    return out;
  }

  [[nodiscard]] std::vector<std::string> refusals(const std::string& path,
                                                  Boundary boundary = Boundary::namespaces) const {
    const InputProtection found = protection(read(path), boundary);
    EXPECT_THAT(found.protect, IsEmpty()) << path;
    return codes(found.violations);
  }

  [[nodiscard]] PlanResult plan(const InputFile& input, Tier tier, const HostFacts& host) const {
    const Request request{.command = "git"};
    const Verdict verdict =
        validate(policy_, request, {.tier = tier, .lookup = &lookup_, .workspace = "/work"});
    EXPECT_TRUE(verdict.allowed());
    const RunIdentity identity{.run_id = "r", .private_name = "bawn-x", .inputs = {input}};
    return planned(policy_, request, verdict, tier, identity, host, lookup_);
  }

  // The mounts with this origin, in order, as "rw /work/conf".
  [[nodiscard]] static std::vector<std::string> mounts(const PlanResult& result,
                                                       std::string_view origin) {
    std::vector<std::string> out;
    for (const MountOp& op : root_of(result.plan).mounts) {
      if (op.origin == origin) out.push_back((op.writable ? "rw " : "ro ") + op.destination);
    }
    return out;
  }

  FakeLookup lookup_{{"/work/conf/deep/p.json", "file"},
                     {"/work/p.json", "file"},
                     {"/work/link.json", "own link:/srv/p.json"},
                     {"/srv/p.json", "file"},
                     {"/srv/theirs.json", "stranger's link:/srv/p.json"},
                     {"/srv/own.json", "own link:/srv/p.json"},
                     {"/srv/data/p.json", "file"},
                     {"/srv/twin.json", "hardlink:/srv/data/q.json"},
                     {"/srv/data/q.json", "file"},
                     {"/usr/bin/git", "exe"},
                     {"/etc/passwd", "file"},
                     {"/tmp", "dir"}};
  Policy policy_ = [] {
    Policy policy = *preset("agent");
    policy.executables.allow = {"git"};
    policy.limits = {};
    return policy;
  }();
};

TEST_F(Input, IsProtectedWhereTheCommandMayWrite) {
  for (const Boundary boundary : {Boundary::namespaces, Boundary::profile}) {
    const InputProtection found = protection(read("/work/conf/deep/p.json"), boundary);
    EXPECT_THAT(found.violations, IsEmpty());
    ASSERT_EQ(found.protect.size(), 1U);
    EXPECT_EQ(found.protect.front().file.path, "/work/conf/deep/p.json");
    EXPECT_EQ(found.protect.front().origin, "--policy");
  }
  EXPECT_THAT(refusals("/srv/p.json"), IsEmpty()) << "out of reach";
  EXPECT_THAT(refusals("/srv/own.json"), IsEmpty()) << "the caller's own link, out of reach";
  policy_.workspace.mode = WorkspaceMode::read_only;
  EXPECT_THAT(refusals("/work/p.json"), IsEmpty());
}

TEST_F(Input, IsRefusedWhereItCannotBeProtected) {
  EXPECT_THAT(refusals("/work/p.json", Boundary::landlock), ElementsAre("input.unprotected"));
  EXPECT_THAT(refusals("/srv/p.json", Boundary::landlock), IsEmpty());
  EXPECT_THAT(refusals("/work/p.json", Boundary::job), IsEmpty()) << "nothing is promised there";
  EXPECT_THAT(refusals("/work/link.json"), ElementsAre("input.link"))
      << "the command could replace the link";
  EXPECT_THAT(refusals("/srv/theirs.json"), ElementsAre("input.link"));
  const auto message = protection(read("/work/link.json")).violations.front();
  EXPECT_THAT(message.hint, HasSubstr("'/srv/p.json'"));
}

// Run 1 made a hard link to the policy in its workspace. A part of that workspace is the workspace
// of run 2.
TEST_F(Input, WithAnotherNameOnTheSameDiskIsRefused) {
  EXPECT_THAT(refusals("/srv/twin.json"), ElementsAre("input.hard_link"));
}

TEST_F(Input, ThatIsAnotherFileByNowIsRefused) {
  InputFile input = read("/work/p.json");
  input.inode = 999;
  EXPECT_THAT(codes(protection(input).violations), ElementsAre("input.changed"));
  EXPECT_THAT(codes(protection({"--policy", "/work/gone.json", 1, 5}).violations),
              ElementsAre("input.changed"));
}

HostFacts tier_c_host() {
  HostFacts host = linux_facts();
  host.tier_b = host.tier_c = host.seccomp_filters = true;
  host.landlock_abi = 6;
  host.private_parent = "/tmp";
  return host;
}

TEST_F(Input, IsReadOnlyInTierCAndKeepsItsName) {
  const PlanResult result = plan(read("/work/conf/deep/p.json"), Tier::c, tier_c_host());
  EXPECT_THAT(codes(result.violations), IsEmpty());
  EXPECT_THAT(mounts(result, "--policy"),
              ElementsAre("rw /work/conf", "rw /work/conf/deep", "ro /work/conf/deep/p.json"));
  EXPECT_THAT(mounts(plan(read("/srv/p.json"), Tier::c, tier_c_host()), "--policy"), IsEmpty());
}

TEST_F(Input, IsReadOnlyByEveryNameThatTheCommandHasForIt) {
  policy_.filesystem.write = {{"/srv", "/data"}, {"/srv/data", ""}};
  const PlanResult result = plan(read("/srv/data/p.json"), Tier::c, tier_c_host());
  EXPECT_THAT(codes(result.violations), IsEmpty());
  EXPECT_THAT(mounts(result, "--policy"),
              ElementsAre("rw /data/data", "ro /data/data/p.json", "ro /srv/data/p.json"));
}

TEST_F(Input, ThatIsHiddenOrProtectedAnywayIsLeftSo) {
  policy_.workspace.hide = {"conf"};
  EXPECT_THAT(mounts(plan(read("/work/conf/deep/p.json"), Tier::c, tier_c_host()), "--policy"),
              testing::Not(testing::Contains("ro /work/conf/deep/p.json")));
  policy_.workspace = {.root = "", .mode = WorkspaceMode::direct, .hide = {}, .protect = {"conf"}};
  EXPECT_THAT(mounts(plan(read("/work/conf/deep/p.json"), Tier::c, tier_c_host()), "--policy"),
              testing::Not(testing::Contains("ro /work/conf/deep/p.json")));
}

TEST_F(Input, IsRefusedInTierB) {
  EXPECT_THAT(codes(plan(read("/work/p.json"), Tier::b, tier_c_host()).violations),
              ElementsAre("input.unprotected"));
}

TEST_F(Input, IsWhatASeccompProfileIsToo) {
  policy_.system_calls.profile = "/work/p.json";
  const PlanResult result = plan(read("/srv/p.json"), Tier::c, tier_c_host());
  EXPECT_THAT(mounts(result, "system_calls.profile"), ElementsAre("ro /work/p.json"));
  EXPECT_EQ(result.plan.filter()->file.path, "/work/p.json");
}

TEST_F(Input, IsAnExceptionOfAProfile) {
  HostFacts host = macos_facts();
  host.private_parent = "/tmp";
  const PlanResult result = plan(read("/work/conf/deep/p.json"), Tier::c, host);
  EXPECT_THAT(result.plan.part<SandboxProfilePlan>()->write_refused,
              ElementsAre("/work/conf/deep/p.json"));
  EXPECT_THAT(result.plan.part<SandboxProfilePlan>()->pinned,
              ElementsAre("/work/conf", "/work/conf/deep"));
}

}  // namespace
}  // namespace bawn
