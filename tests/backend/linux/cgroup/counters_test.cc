#include "backend/linux/cgroup/counters.h"

#include <gtest/gtest.h>

namespace bawn::linux_ {
namespace {

CgroupCounts counts(CgroupCounter counter, std::string_view text) {
  CgroupCounts counts;
  read_counter(counter, text, counts);
  return counts;
}

TEST(CgroupCounters, AreReadFromTheKernelsTexts) {
  EXPECT_EQ(counts(CgroupCounter::memory_events,
                   "low 0\nhigh 0\nmax 31\noom 2\noom_kill 1\noom_group_kill 7\n")
                .oom_kills,
            1U);
  EXPECT_EQ(counts(CgroupCounter::memory_events, "oom 2\noom_kill 1\n").own_limit_met, 2U);
  EXPECT_EQ(counts(CgroupCounter::memory_oom_control, "oom_kill 3\n").own_limit_met, std::nullopt);
  EXPECT_EQ(
      counts(CgroupCounter::memory_oom_control, "oom_kill_disable 9\nunder_oom 8\noom_kill 3\n")
          .oom_kills,
      3U);
  EXPECT_EQ(counts(CgroupCounter::pids_events, "max 12\n").pids_refused, 12U);
  const CgroupCounts time =
      counts(CgroupCounter::cpu_stat, "usage_usec 4567\nuser_usec 4000\nsystem_usec 567\n");
  EXPECT_EQ(time.cpu_user_usec, 4000U);
  EXPECT_EQ(time.cpu_system_usec, 567U);
}

TEST(CgroupCounters, ThatTheTextDoesNotHaveAreAbsentAndNotZero) {
  for (const char* text :
       {"", "\n", "oom_kill", "oom_kill \n", "oom_kill x\n", "oom_kill -1\n", "oom_kill 1x\n",
        "xoom_kill 1\n", "oom_kill 99999999999999999999999\n"}) {
    EXPECT_EQ(counts(CgroupCounter::memory_events, text).oom_kills, std::nullopt) << text;
  }
  const CgroupCounts only_memory = counts(CgroupCounter::memory_events, "oom_kill 0\n");
  EXPECT_EQ(only_memory.oom_kills, 0U);
  EXPECT_EQ(only_memory.pids_refused, std::nullopt);
  EXPECT_EQ(only_memory.cpu_user_usec, std::nullopt);
}

}  // namespace
}  // namespace bawn::linux_
