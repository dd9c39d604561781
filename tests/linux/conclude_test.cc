#include "linux/conclude.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <csignal>

namespace bawn {
namespace {

// A command that was killed, in a cgroup that counted this.
Outcome killed(const CgroupCounts& counts, bool with_budget = false) {
  Supervised supervised;
  supervised.run.ending = Ending::exited;
  supervised.run.tree_gone = true;
  supervised.wait_status = SIGKILL;
  Plan plan;
  plan.tier = Tier::c;
  plan.limits.memory_bytes = 1 << 20;
  CgroupRecord record;
  record.counts = counts;
  if (with_budget) record.budget.emplace();
  return conclude(supervised, plan, RunFilter{}, HostFacts{}, record);
}

// The host's own killer, or a limit of somebody above, was told as the run's memory limit.
TEST(Conclude, NamesTheMemoryLimitOnlyIfItWasOurs) {
  EXPECT_EQ(killed({.oom_kills = 1, .own_limit_met = 1}).status, Status::quota_exceeded);
  EXPECT_EQ(killed({.oom_kills = 1, .own_limit_met = 1}).limit, "memory");
  EXPECT_EQ(killed({.oom_kills = 1}).limit, "memory") << "v1 does not say";
  EXPECT_EQ(killed({.oom_kills = 1, .own_limit_met = 0}, true).limit, "memory") << "of all runs together";
  for (const CgroupCounts& counts : {CgroupCounts{.oom_kills = 1, .own_limit_met = 0},
                                     CgroupCounts{.oom_kills = 0, .own_limit_met = 1}, CgroupCounts{}}) {
    const Outcome outcome = killed(counts);
    EXPECT_EQ(outcome.status, Status::signaled);
    EXPECT_EQ(outcome.signal, SIGKILL);
    EXPECT_EQ(outcome.limit, "");
  }
}

// On hosts with large pages, or with more settings than others, the root may still not fit.
TEST(Conclude, NamesTheLimitIfTheRootHasNoRoom) {
  Supervised supervised;
  supervised.failure.emplace();
  supervised.failure->step = keeper::Step::make_standing_part;
  supervised.failure->error = ENOSPC;
  Plan plan;
  plan.root.parts.push_back({.destination = "/etc/hosts", .origin = "system"});
  const auto hint = [&] { return conclude(supervised, plan, RunFilter{}, HostFacts{}, {}).error->hint; };
  EXPECT_NE(hint().find("limits.tmp_bytes (--tmp-size)"), std::string::npos) << hint();
  supervised.failure->error = EACCES;
  EXPECT_EQ(hint(), "check that it still exists and that you may read it");
}

}  // namespace
}  // namespace bawn
