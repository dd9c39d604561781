#include "plan/cgroup_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bawn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint64_t kMiB = 1 << 20;

CgroupPlace unified(CgroupControllers controllers) {
  return {CgroupVersion::v2, {{.directory = "/cg/session", .controllers = std::move(controllers)}}};
}

TEST(CgroupWish, IsEmptyWithoutALimitForTheWholeTree) {
  Limits limits;
  limits.wall_time_ms = 1000;
  limits.open_files = 100;
  EXPECT_TRUE(cgroup_wish(limits).empty());
  limits.processes = 10;
  EXPECT_FALSE(cgroup_wish(limits).empty());
}

TEST(CgroupWish, NamesTheControllersThatItsLimitsNeed) {
  Limits limits;
  limits.cpu_percent = 150;
  EXPECT_THAT(cgroup_wish(limits).controllers, ElementsAre(CgroupController::cpu));
  EXPECT_EQ(cgroup_wish(limits).limits.cpu_rate, (CpuRate{150'000, 100'000}));
  limits.memory_bytes = kMiB;
  limits.processes = 10;
  EXPECT_THAT(cgroup_wish(limits).controllers,
              ElementsAre(CgroupController::memory, CgroupController::pids, CgroupController::cpu));
  EXPECT_FALSE(cgroup_wish(limits).insists);
}

TEST(CgroupWish, InsistsOnAParentThatIsNamedEvenWithoutALimit) {
  Limits limits;
  limits.cgroup_parent = "/cg/runs";
  const CgroupWish wish = cgroup_wish(limits);
  EXPECT_FALSE(wish.empty());
  EXPECT_TRUE(wish.insists);
  EXPECT_EQ(wish.parent, "/cg/runs");
  EXPECT_THAT(wish.controllers, IsEmpty());
}

TEST(CgroupWish, WithABudgetLooksForThePlaceAboveTheParent) {
  Limits limits;
  limits.cgroup_parent = "/cg/all/runs";
  limits.total_memory_bytes = 8 * kMiB;
  limits.processes = 10;
  const CgroupWish wish = cgroup_wish(limits);
  EXPECT_EQ(wish.parent, "/cg/all");
  ASSERT_TRUE(wish.budget.has_value());
  EXPECT_EQ(wish.budget->name, "runs");
  EXPECT_EQ(wish.budget->total, (CgroupLimits{.memory_bytes = 8 * kMiB}));
  EXPECT_EQ(wish.limits, (CgroupLimits{.processes = 10}));
  EXPECT_THAT(wish.controllers, ElementsAre(CgroupController::memory, CgroupController::pids));
  limits.cgroup_parent = "/runs";
  EXPECT_EQ(cgroup_wish(limits).parent, "/");
}

TEST(CgroupPlan, LeavesOutWhatThePlaceHasNoControllerFor) {
  Limits limits;
  limits.memory_bytes = kMiB;
  limits.cpu_percent = 50;
  const CgroupPlan plan =
      plan_cgroup(cgroup_wish(limits), unified({CgroupController::memory}), "bawn-x");
  EXPECT_EQ(plan.limits, (CgroupLimits{.memory_bytes = kMiB}));
  EXPECT_EQ(plan.directory_of(CgroupController::memory), "/cg/session/bawn-x");
  EXPECT_EQ(plan.directory_of(CgroupController::cpu), "");
}

TEST(CgroupPlan, HasADirectoryInEachHierarchyOfVersionOne) {
  const CgroupPlace place = {
      CgroupVersion::v1,
      {{.directory = "/cg/memory", .controllers = {CgroupController::memory}},
       {.directory = "/cg/pids", .controllers = {CgroupController::pids}}}};
  Limits limits;
  limits.cgroup_parent = "/cg/memory/runs";
  limits.total_processes = 20;
  limits.memory_bytes = kMiB;
  const CgroupPlan plan = plan_cgroup(cgroup_wish(limits), place, "bawn-x");
  EXPECT_EQ(plan.directory_of(CgroupController::memory), "/cg/memory/runs/bawn-x");
  EXPECT_EQ(plan.directory_of(CgroupController::pids), "/cg/pids/runs/bawn-x");
  EXPECT_EQ(plan.budget_directory_of(CgroupController::pids), "/cg/pids/runs");
}

}  // namespace
}  // namespace bawn
