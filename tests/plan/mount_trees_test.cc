// Which mounts bawn opens for a run that root starts, and whose files each of them shows as the
// command's own.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "host/system_facts.h"
#include "plan/plan_parts.h"
#include "plan/writable_file.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using test::planned;
using test::root_of;
using testing::HasSubstr;

constexpr FileOwner kRoot = {0, 0};
constexpr FileOwner kUser = {1000, 100};
constexpr FileOwner kOther = {2000, 200};

class OwnedTree : public FakeLookup {
 public:
  using FakeLookup::FakeLookup;
  [[nodiscard]] Located locate(std::string_view path) const override {
    Located located = FakeLookup::locate(path);
    located.owner = path == "/work/kept/deep"               ? kOther
                    : path_is_within(located.path, "/work") ? kUser
                    : path_is_within(located.path, "/srv")  ? kOther
                                                            : kRoot;
    return located;
  }
};

HostFacts facts_of_root() {
  HostFacts host = linux_facts();
  host.tier_b = host.tier_c = host.seccomp_filters = true;
  host.landlock_abi = 6;
  host.capabilities = kAllCapabilities;
  return host;
}

Policy policy_with_grants() {
  Policy policy = *preset("workspace");
  policy.tier = {TierChoice::c, Tier::c};
  policy.executables.caller_path = false;
  policy.filesystem.read = {std::string("/opt/data")};
  policy.filesystem.write = {std::string("/srv/out")};
  policy.workspace.protect = {"kept/deep"};
  policy.workspace.hide = {};
  return policy;
}

const std::map<std::string, std::string> kFiles = {
    {"/work", "dir"},         {"/work/kept", "dir"}, {"/work/kept/deep", "file"},
    {"/usr/bin/true", "exe"}, {"/opt/data", "dir"},  {"/srv/out", "dir"}};

PlanResult plan(const HostFacts& host, const Policy& policy = policy_with_grants(),
                const std::map<std::string, std::string>& files = kFiles) {
  const OwnedTree tree(files);
  const Request request{.command = "true"};
  const Verdict verdict =
      validate(policy, request, {.tier = Tier::c, .lookup = &tree, .workspace = "/work"});
  EXPECT_TRUE(verdict.allowed());
  return planned(policy, request, verdict, Tier::c, {.run_id = "r", .private_name = "p"}, host,
                 tree);
}

const MountOp& mount_at(const PlanResult& result, std::string_view path) {
  const MountOp* last = nullptr;
  for (const MountOp& op : root_of(result.plan).mounts)
    if (op.destination == path) last = &op;
  EXPECT_NE(last, nullptr) << path;
  return *last;
}

TEST(MountTrees, AreNumberedInTheirOrderForRootsRun) {
  const PlanResult result = plan(facts_of_root());
  ASSERT_TRUE(result.violations.empty());
  std::uint32_t number = 0;
  for (const MountOp& op : root_of(result.plan).mounts)
    EXPECT_EQ(op.tree, op.kind == MountOpKind::bind ? ++number : 0U) << op.destination;
  EXPECT_GE(number, 5U);
}

TEST(MountTrees, AreOfTheOwnerOfWhatIsGranted) {
  const PlanResult result = plan(facts_of_root());
  EXPECT_EQ(mount_at(result, "/work").owner, kUser);
  EXPECT_EQ(mount_at(result, "/srv/out").owner, kOther);
  EXPECT_EQ(mount_at(result, "/opt/data").owner, kRoot);
}

// With a map of its own the command could change the other owner's files in the pinned directory.
TEST(MountTrees, OfAPinAreOfTheOwnerOfTheMountAroundIt) {
  const PlanResult result = plan(facts_of_root());
  EXPECT_TRUE(mount_at(result, "/work/kept").writable);
  EXPECT_EQ(mount_at(result, "/work/kept").owner, kUser);
  EXPECT_EQ(mount_at(result, "/work/kept/deep").source.owner, kOther);
  EXPECT_EQ(mount_at(result, "/work/kept/deep").owner, kUser);
}

TEST(MountTrees, AreNotMadeForOthers) {
  HostFacts ordinary = facts_of_root();
  ordinary.uid = ordinary.gid = 1000;
  ordinary.capabilities = {};
  HostFacts without_trees = facts_of_root();
  without_trees.host_ids = {.lack = "no CAP_SYS_ADMIN", .workspace_owner = kUser};
  Policy named = policy_with_grants();
  named.identity = {.uid = 7, .gid = 7};
  for (const PlanResult& result :
       {plan(ordinary), plan(without_trees), plan(facts_of_root(), named)}) {
    EXPECT_TRUE(result.violations.empty());
    for (const MountOp& op : root_of(result.plan).mounts) EXPECT_EQ(op.tree, 0U) << op.destination;
  }
}

TEST(MountTrees, AreNotMoreThanOneMessageHolds) {
  Policy policy = policy_with_grants();
  std::map<std::string, std::string> files = kFiles;
  for (std::uint32_t i = 0; i < kMostTrees; ++i) {
    files[concat("/opt/", i)] = "dir";
    policy.filesystem.read.emplace_back(concat("/opt/", i));
  }
  const PlanResult refused = plan(facts_of_root(), policy, files);
  ASSERT_EQ(refused.violations.size(), 1U);
  EXPECT_EQ(refused.violations[0].code, "grant.too_many");
  EXPECT_THAT(refused.violations[0].message, HasSubstr("at most 200"));
  policy.identity = {.uid = 0, .gid = 0};
  EXPECT_TRUE(plan(facts_of_root(), policy, files).violations.empty());
}

TEST(MountTrees, AreRefusedIfTheWorkspaceHasGotAnotherOwner) {
  HostFacts host = facts_of_root();
  host.host_ids = {.lack = "an overlay", .workspace_owner = kUser, .makes_trees = true};
  EXPECT_TRUE(plan(host).violations.empty());
  for (const FileOwner& before : {kOther, kRoot}) {
    host.host_ids.workspace_owner = before;
    const PlanResult refused = plan(host);
    ASSERT_EQ(refused.violations.size(), 1U);
    EXPECT_EQ(refused.violations[0].code, "path.changed");
    EXPECT_THAT(refused.violations[0].message, HasSubstr("another owner"));
  }
}

TEST(WritingUser, IsTheOwnerThatAnIdmappedMountStandsFor) {
  const PlanResult result = plan(facts_of_root());
  const auto& namespaces = *result.plan.part<NamespacesPlan>();
  EXPECT_EQ(writing_user(namespaces, "/work/f"), kUser.uid);
  EXPECT_EQ(writing_user(namespaces, "/srv/out/f"), kOther.uid);
  EXPECT_EQ(writing_user(namespaces, "/opt/data/f"), namespaces.user.host_uid) << "read-only";
}

}  // namespace
}  // namespace bawn
