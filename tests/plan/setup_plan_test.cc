#include "plan/root/setup_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "policy/policy.h"

namespace bawn {
namespace {

using testing::HasSubstr;

HostFacts host_with_ranges() {
  HostFacts host;
  host.uid = 1000;
  host.gid = 100;
  host.id_ranges = {.lack = "", .fix = "", .users = {{100000, 65536}}, .groups = {{200000, 10}}};
  return host;
}

std::optional<Violation> objection(const IdentityPolicy& identity, const HostFacts& host) {
  return objection_to(plan_user(identity, host), identity, host);
}

TEST(RunUser, HasNoIdsButItsOwnUnlessThePolicyAsks) {
  const RunUser user = plan_user({}, host_with_ranges());
  EXPECT_EQ(user.maps, std::nullopt);
  EXPECT_EQ(user.uid, 1000U);
  EXPECT_EQ(objection({}, host_with_ranges()), std::nullopt);
}

TEST(RunUser, KeepsItsOwnIdsBesideTheRanges) {
  const RunUser user = plan_user({.id_ranges = true}, host_with_ranges());
  ASSERT_TRUE(user.maps);
  EXPECT_EQ(user.maps->users, (IdMap{{0, 100000, 1000}, {1000, 1000, 1}, {1001, 101000, 64536}}));
  EXPECT_EQ(user.maps->groups, (IdMap{{0, 200000, 10}, {100, 100, 1}}));
  const RunUser root = plan_user({.as_root = true, .id_ranges = true}, host_with_ranges());
  EXPECT_EQ(root.maps->users, (IdMap{{0, 1000, 1}, {1, 100000, 65536}}));
  EXPECT_EQ(root.maps->groups, (IdMap{{0, 100, 1}, {1, 200000, 10}}));
  EXPECT_EQ(objection({.as_root = true, .id_ranges = true}, host_with_ranges()), std::nullopt);
}

// A set-group-id file of such a run could give root's group to another user. So every id counts.
TEST(RunUser, IsRootsIfAnyIdOnTheHostIs) {
  struct Row {
    std::uint32_t caller, caller_group;
    IdentityPolicy identity;
    bool as_root;
  };
  const Row rows[] = {
      {1000, 100, {}, false},
      {1000, 100, {.as_root = true}, false},
      {1000, 0, {}, true},
      {0, 0, {}, true},
      {0, 100, {}, true},
      {0, 0, {.uid = 1000}, true},
      {0, 0, {.uid = 1000, .gid = 100}, true},
  };
  for (const Row& row : rows) {
    HostFacts host;
    host.uid = row.caller;
    host.gid = row.caller_group;
    EXPECT_EQ(is_run_by_root(plan_user(row.identity, host), host), row.as_root)
        << row.caller << ":" << row.caller_group << " as " << row.identity.uid.value_or(row.caller);
  }
}

HostFacts host_of_root(CapabilitySet capabilities = kAllCapabilities) {
  HostFacts host;
  host.capabilities = capabilities;
  return host;
}

CapabilitySet all_but(Capability capability) {
  return CapabilitySet(kAllCapabilities.bits() &
                       ~(std::uint64_t{1} << static_cast<unsigned>(capability)));
}

TEST(RunUser, OfRootsRunIsOneOfTheRange) {
  const IdentityPolicy identity{.first_host_id = 1000, .host_id_count = 10};
  const RunUser user = plan_user(identity, host_of_root(), 27);
  EXPECT_EQ(user.origin, HostIdOrigin::range);
  EXPECT_EQ(user.host_uid, 1007U);
  EXPECT_EQ(user.host_gid, 1007U);
  EXPECT_EQ(user.uid, 0U) << "it still sees itself as the caller";
  EXPECT_EQ(user.lack, "");
  EXPECT_TRUE(user.by_trees && user.gets_pipes);
  EXPECT_EQ(objection(identity, host_of_root()), std::nullopt);
  EXPECT_TRUE(is_run_by_root(user, host_of_root()));
}

TEST(RunUser, OfTheRangeIsInItWhateverIsDrawn) {
  const IdentityPolicy usual;
  for (const std::uint32_t draw : {0U, 1U, 0x0fffffffU, 0x7fffffffU, ~0U}) {
    const RunUser user = plan_user(usual, host_of_root(), draw);
    EXPECT_GE(user.host_uid, 0x70000000U);
    EXPECT_LT(user.host_uid, 0x7fff0000U);
  }
}

TEST(RunUser, IsNotOfTheRangeForAnOrdinaryCallerOrIfThePolicyDecides) {
  const IdentityPolicy decisions[] = {
      {.uid = 0}, {.gid = 5}, {.uid = 7, .gid = 7}, {.id_ranges = true}};
  for (const IdentityPolicy& identity : decisions) {
    const RunUser user = plan_user(identity, host_of_root());
    EXPECT_NE(user.origin, HostIdOrigin::range);
    EXPECT_EQ(user.host_uid, identity.uid.value_or(0));
    EXPECT_FALSE(user.by_trees || user.gets_pipes);
    EXPECT_EQ(user.lack, "");
  }
  HostFacts ordinary = host_of_root();
  ordinary.uid = ordinary.gid = 1000;
  EXPECT_EQ(plan_user({}, ordinary).origin, HostIdOrigin::caller);
  EXPECT_EQ(plan_user({}, ordinary).host_uid, 1000U);
}

TEST(RunUser, OfRootsRunIsTheOwnerOfTheWorkspaceWhereMountsCannotBeIdmapped) {
  HostFacts host = host_of_root();
  host.host_ids = {.lack = "an overlay", .workspace_owner = {1000, 100}, .makes_trees = true};
  const RunUser user = plan_user({}, host, 5);
  EXPECT_EQ(user.origin, HostIdOrigin::workspace_owner);
  EXPECT_EQ(user.host_uid, 1000U);
  EXPECT_EQ(user.host_gid, 100U);
  EXPECT_EQ(user.uid, 0U);
  EXPECT_EQ(user.lack, "an overlay");
  EXPECT_TRUE(user.by_trees && user.gets_pipes);
  EXPECT_EQ(user.chosen_for, (FileOwner{1000, 100}));
  host.host_ids.workspace_owner = {0, 5};
  const RunUser root = plan_user({}, host, 5);
  EXPECT_EQ(root.origin, HostIdOrigin::caller);
  EXPECT_EQ(root.host_uid, 0U);
  EXPECT_EQ(root.lack, "an overlay");
  EXPECT_EQ(root.chosen_for, (FileOwner{0, 5}));
}

TEST(RunUser, OfRootsRunNeedsEachCapability) {
  const std::pair<Capability, std::string> rows[] = {
      {Capability::chown, "root lacks CAP_CHOWN"},
      {Capability::setgid, "root lacks CAP_SETGID"},
      {Capability::setuid, "root lacks CAP_SETUID"},
      {Capability::sys_admin, "root lacks CAP_SYS_ADMIN"},
      {Capability::setfcap, "root lacks CAP_SETFCAP"}};
  for (const auto& [capability, lack] : rows) {
    HostFacts host = host_of_root(all_but(capability));
    host.host_ids.workspace_owner = {1000, 1000};
    const RunUser user = plan_user({}, host);
    EXPECT_EQ(user.lack, lack);
    const bool may_become = capability != Capability::setuid && capability != Capability::setgid;
    EXPECT_EQ(user.host_uid, may_become ? 1000U : 0U) << lack;
    EXPECT_EQ(user.gets_pipes, may_become && capability != Capability::chown) << lack;
    EXPECT_FALSE(user.by_trees) << lack;
    EXPECT_EQ(objection({}, host), std::nullopt) << lack;
  }
}

TEST(RunUser, IsRefusedRangesThatTheHostDoesNotGive) {
  HostFacts host = host_with_ranges();
  host.id_ranges.lack = "/etc/subuid gives no ids to 'you' (1000)";
  host.id_ranges.fix = "add the line";
  EXPECT_EQ(objection({}, host), std::nullopt);
  const auto refused = objection({.id_ranges = true}, host);
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->code, "identity.unavailable");
  EXPECT_EQ(refused->subject, "identity.id_ranges");
  EXPECT_EQ(refused->message,
            "no id ranges are available: /etc/subuid gives no ids to 'you' (1000)");
  EXPECT_EQ(refused->hint, "add the line");
}

TEST(RunUser, IsRefusedRangesThatWereNotProbed) {
  EXPECT_TRUE(objection({.id_ranges = true}, HostFacts{}));
  EXPECT_FALSE(objection({}, HostFacts{}));
}

TEST(RunUser, IsRefusedMoreRangesThanTheKernelTakes) {
  for (const auto ranges : {&IdRangeFacts::users, &IdRangeFacts::groups}) {
    HostFacts host = host_with_ranges();
    for (std::uint32_t i = 0; i < 400; ++i) (host.id_ranges.*ranges).push_back({300000 + 2 * i, 1});
    const auto refused = objection({.id_ranges = true}, host);
    ASSERT_TRUE(refused);
    EXPECT_THAT(refused->message, HasSubstr("more ranges than the kernel takes"));
  }
}

// Not for uid 0 as such: a container's root can lack them.
TEST(RunUser, IsAnotherUserOnlyByCapabilitiesAndThenWithoutRanges) {
  HostFacts host = host_with_ranges();
  const IdentityPolicy other = {.uid = 7, .gid = 7};
  const IdentityPolicy other_with_ranges = {.uid = 7, .gid = 7, .id_ranges = true};
  constexpr const char* kWithout = "only a caller with CAP_SETUID and CAP_SETGID";
  EXPECT_THAT(objection(other, host)->message, HasSubstr(kWithout));
  EXPECT_THAT(objection(other_with_ranges, host)->message, HasSubstr(kWithout));
  constexpr std::uint64_t kSetgid = 1U << 6;
  constexpr std::uint64_t kSetuid = 1U << 7;
  host.uid = host.gid = 0;
  for (const std::uint64_t bits : {std::uint64_t{0}, kSetgid, kSetuid, ~(kSetgid | kSetuid)}) {
    host.capabilities = CapabilitySet(bits);
    for (const IdentityPolicy& one : {other, IdentityPolicy{.uid = 7}, IdentityPolicy{.gid = 7}})
      EXPECT_THAT(objection(one, host)->message, HasSubstr(kWithout)) << bits;
    EXPECT_EQ(objection({}, host), std::nullopt) << bits;
  }
  host.capabilities = CapabilitySet(kSetgid | kSetuid);
  host.uid = 1000;
  EXPECT_EQ(objection(other, host), std::nullopt) << "the uid does not decide";
  host.uid = 0;
  EXPECT_EQ(objection(other, host), std::nullopt);
  EXPECT_THAT(objection(other_with_ranges, host)->message, HasSubstr("to the caller alone"));
  EXPECT_THAT(objection({.gid = 7, .id_ranges = true}, host)->message,
              HasSubstr("to the caller alone"));
  EXPECT_EQ(objection({.uid = 0, .gid = 0, .id_ranges = true}, host), std::nullopt)
      << "that is the caller";
}

std::vector<std::string> hidden_from(std::uint32_t uid, const IdentityPolicy& identity) {
  HostFacts host;
  host.uid = uid;
  Policy policy;
  policy.identity = identity;
  std::vector<std::string> hidden;
  for (const MountOp& op : plan_setup(policy, host).mounts) {
    if (op.kind == MountOpKind::hidden) hidden.push_back(op.destination);
  }
  return hidden;
}

// Only for root: the modes of these files refuse other users, and each cover costs a mount.
TEST(SetupPlan, HidesTheKernelsMemoryAndTimersFromTheHostsRoot) {
  const std::vector<std::string> keys = {"/proc/key-users", "/proc/keys"};
  const std::vector<std::string> all = {
      "/proc/key-users",  "/proc/keys",       "/proc/kcore",       "/proc/timer_list",
      "/proc/kpageflags", "/proc/kpagecount", "/proc/kpagecgroup", "/proc/pagetypeinfo",
      "/proc/slabinfo",   "/proc/vmallocinfo"};
  EXPECT_EQ(hidden_from(0, {.as_pid_1 = true}), all);
  EXPECT_EQ(hidden_from(0, {.uid = 7, .gid = 7}), keys);
  EXPECT_EQ(hidden_from(1000, {}), keys);
}

// To other users the kernel shows nothing of a process that is not dumpable. A command that is pid
// 1 sees no init: /proc/1 is the command.
TEST(SetupPlan, HidesTheFilesOfInitFromRootInside) {
  const std::vector<std::string> files = {"/proc/1/fd", "/proc/1/fdinfo", "/proc/1/task/1/fd",
                                          "/proc/1/task/1/fdinfo"};
  const auto hides = [&](std::uint32_t uid, const IdentityPolicy& identity) {
    const std::vector<std::string> hidden = hidden_from(uid, identity);
    return std::search(hidden.begin(), hidden.end(), files.begin(), files.end()) != hidden.end();
  };
  EXPECT_TRUE(hides(0, {}));
  EXPECT_TRUE(hides(0, {.as_root = true}));
  EXPECT_TRUE(hides(1000, {.as_root = true}));
  EXPECT_TRUE(hides(0, {.as_root = true, .uid = 7, .gid = 7}));
  EXPECT_FALSE(hides(1000, {}));
  EXPECT_FALSE(hides(1000, {.as_root = true, .as_pid_1 = true}));
  EXPECT_FALSE(hides(0, {.uid = 7, .gid = 7}));
}

}  // namespace
}  // namespace bawn
