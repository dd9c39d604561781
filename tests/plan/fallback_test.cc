// What a run does without if an attempt lacked it.

#include "plan/fallback.h"

#include <gtest/gtest.h>

#include "policy/policy.h"

namespace bawn {
namespace {

using What = Lacking::What;

const HostFacts kHost{.tier_b = true, .tier_c = true};

Policy accepting(TierChoice use, Tier floor) {
  Policy policy;
  policy.tier = {.use = use, .floor = floor};
  return policy;
}

TEST(Fallback, IsTierBWhereThePolicyAcceptsIt) {
  const Lacking lacking{What::namespaces, "max_user_namespaces is 0"};
  const auto fallback = plan_fallback(lacking, accepting(TierChoice::automatic, Tier::b), kHost);
  ASSERT_TRUE(fallback);
  EXPECT_FALSE(fallback->host.tier_c);
  EXPECT_EQ(fallback->host.tier_c_reason, "max_user_namespaces is 0");
  EXPECT_EQ(fallback->note, "no namespaces, so tier b: max_user_namespaces is 0");
  EXPECT_FALSE(plan_fallback(lacking, accepting(TierChoice::automatic, Tier::c), kHost));
  EXPECT_FALSE(plan_fallback(lacking, accepting(TierChoice::c, Tier::b), kHost));
  EXPECT_FALSE(plan_fallback(lacking, accepting(TierChoice::b, Tier::b), kHost));
}

TEST(Fallback, FromNamespacesHappensOnce) {
  const Policy policy = accepting(TierChoice::automatic, Tier::b);
  const Lacking lacking{What::namespaces, "refused"};
  const auto first = plan_fallback(lacking, policy, kHost);
  ASSERT_TRUE(first);
  EXPECT_FALSE(plan_fallback(lacking, policy, first->host));
}

TEST(Fallback, FromACgroupIsToRlimitsUnlessThePolicyNamesItsPlace) {
  Policy policy;
  const Lacking lacking{What::cgroup, "not delegated"};
  const auto fallback = plan_fallback(lacking, policy, kHost);
  ASSERT_TRUE(fallback);
  EXPECT_TRUE(fallback->host.tier_c);
  EXPECT_EQ(fallback->host.cgroup_reason, "not delegated");
  EXPECT_FALSE(plan_fallback(lacking, policy, fallback->host));
  policy.limits.cgroup_parent = "/sys/fs/cgroup/runs";
  EXPECT_FALSE(plan_fallback(lacking, policy, kHost));
}

TEST(Fallback, FromAHostIdIsToTheOwnerOfTheWorkspaceOnce) {
  const Lacking lacking{What::host_id, "an overlay", {1000, 100}};
  const auto fallback = plan_fallback(lacking, {}, kHost);
  ASSERT_TRUE(fallback);
  EXPECT_EQ(fallback->host.host_ids.lack, "an overlay");
  EXPECT_EQ(fallback->host.host_ids.workspace_owner, (FileOwner{1000, 100}));
  EXPECT_TRUE(fallback->host.host_ids.makes_trees);
  EXPECT_TRUE(fallback->host.tier_c);
  EXPECT_EQ(fallback->note, "no host id of the run's own: an overlay");
  EXPECT_FALSE(plan_fallback(lacking, {}, fallback->host));
}

TEST(Fallback, FromAFileThatInitCannotOpenIsARelayOnce) {
  const auto fallback = plan_fallback({What::stdio_files}, {}, kHost);
  ASSERT_TRUE(fallback);
  EXPECT_FALSE(fallback->host.init_opens_files);
  EXPECT_FALSE(plan_fallback({What::stdio_files}, {}, fallback->host));
}

}  // namespace
}  // namespace bawn
