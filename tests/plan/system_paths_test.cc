// Both tiers of Linux open the same paths of the system, except where a row of the table says why
// not. The tests read the finished plans, so a path that a planner adds by itself is found too.

#include "host/system_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "host/system_facts.h"
#include "plan/plan_parts.h"
#include "policy/egress_policy.h"
#include "policy/preset.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using testing::Contains;
using testing::IsEmpty;
using testing::Not;

using Paths = std::set<std::string>;

// A host that has everything of the table, and a secret beside it.
FakeLookup full_host() {
  std::map<std::string, std::string> tree = {{"/work", "dir"},
                                             {"/usr/bin/true", "exe"},
                                             {"/home/me", "dir"},
                                             {"/tmp", "dir"},
                                             {"/etc/shadow", "file"}};
  for (const SystemPath& row : kSystemPaths) {
    if (row.path != "/usr")
      tree[std::string(row.path)] = row.kind == SystemPathKind::setting ? "file" : "dir";
  }
  return FakeLookup(tree);
}

Plan plan_in(Tier tier) {
  HostFacts host = linux_facts();
  host.seccomp_filters = true;
  host.landlock_abi = 6;
  Policy policy = *preset("agent");
  policy.executables.allow = {"true"};
  policy.limits.processes = {};
  policy.egress.mode = EgressMode::allow_all;
  const FakeLookup lookup = full_host();
  const Request request{.command = "true"};
  const Verdict verdict =
      validate(policy, request, {.tier = tier, .lookup = &lookup, .workspace = "/work"});
  EXPECT_TRUE(verdict.allowed());
  PlanResult result = test::planned(
      policy, request, verdict, tier,
      {.run_id = "run-1", .private_name = "bawn-x", .home = "/home/me"}, host, lookup);
  EXPECT_THAT(result.violations, IsEmpty());
  return std::move(result.plan);
}

Paths granted(const Plan& plan, FileAccess access) {
  Paths out;
  for (const FileGrant& grant : plan.files()) {
    if (grant.origin == "system" && grant.access == access) out.insert(grant.target.path);
  }
  return out;
}

enum class Made { from_host, by_bawn };

// What the root of tier c has, and whether it is the host's.
std::map<std::string, Made> made_in(const Plan& plan) {
  std::map<std::string, Made> out;
  for (const MountOp& op : test::root_of(plan).mounts)
    out[op.destination] = op.kind == MountOpKind::mirror ? Made::from_host : Made::by_bawn;
  return out;
}

Paths rows_where(bool (*matches)(const SystemPath&)) {
  Paths out;
  for (const SystemPath& row : kSystemPaths) {
    if (matches(row)) out.emplace(row.path);
  }
  return out;
}

TEST(SystemPaths, AreAllOpenInTierB) {
  const Plan plan = plan_in(Tier::b);
  const Paths read = granted(plan, FileAccess::read);
  EXPECT_EQ(read,
            rows_where([](const SystemPath& row) { return row.kind != SystemPathKind::device; }));
  EXPECT_THAT(read, Contains("/etc/gitconfig"));
  EXPECT_THAT(read, Not(Contains("/etc/shadow")));
  EXPECT_EQ(granted(plan, FileAccess::device),
            rows_where([](const SystemPath& row) { return row.kind == SystemPathKind::device; }));
  EXPECT_THAT(granted(plan, FileAccess::write), IsEmpty());
}

// Tier c once showed /nix/store and Java's settings, which tier b could not read.
TEST(SystemPaths, ThatTierCShowsAreOpenInTierB) {
  const Plan tier_b = plan_in(Tier::b);
  Paths open = granted(tier_b, FileAccess::read);
  open.merge(granted(tier_b, FileAccess::device));
  Paths shown;
  for (const auto& [path, made] : made_in(plan_in(Tier::c))) {
    if (made == Made::from_host) shown.insert(path);
  }
  EXPECT_THAT(shown, Contains("/etc/gitconfig")) << "the control: something is shown";
  for (const std::string& path : shown) EXPECT_THAT(open, Contains(path));
}

TEST(SystemPaths, ThatTierBOpensAreInTierCAsTheirRowsSay) {
  const auto root = made_in(plan_in(Tier::c));
  for (const SystemPath& row : kSystemPaths) {
    const auto found = root.find(std::string(row.path));
    if (row.in_tier_c == InTierC::absent) {
      EXPECT_EQ(found, root.end()) << row.path;
      continue;
    }
    ASSERT_NE(found, root.end()) << row.path;
    const bool is_the_hosts = row.in_tier_c == InTierC::shown;
    EXPECT_EQ(found->second, is_the_hosts ? Made::from_host : Made::by_bawn) << row.path;
  }
  EXPECT_EQ(root.count("/etc/shadow"), 0U);
}

// Whatever bawn writes into /etc of tier c hides a file that programs read, so tier b must open the
// host's.
TEST(SystemPaths, HaveARowForEverySettingThatTierCWrites) {
  for (const auto& [path, made] : made_in(plan_in(Tier::c))) {
    if (!path.starts_with("/etc/") || made == Made::from_host) continue;
    EXPECT_THAT(kOwnVersionPaths, Contains(path));
  }
}

TEST(SystemPaths, AreListedOnce) {
  Paths seen;
  for (const SystemPath& row : kSystemPaths) EXPECT_TRUE(seen.emplace(row.path).second) << row.path;
}

}  // namespace
}  // namespace bawn
