#include "supervise/ending.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

Outcome ended_by(Ending ending, const Limits& limits = {}) {
  Outcome outcome;
  EXPECT_TRUE(name_ending(ending, limits, outcome)) << to_string(ending);
  return outcome;
}

TEST(EndingDescription, NameTheLimitAndTheKeyThatRaisesIt) {
  const Outcome wall = ended_by(Ending::wall_time, {.wall_time_ms = 5});
  EXPECT_EQ(wall.status, Status::timed_out);
  EXPECT_EQ(wall.limit, "wall_time");
  EXPECT_EQ(wall.error->message, "the wall-time limit of 5 ms was reached");
  EXPECT_EQ(wall.error->hint, "try --timeout 50ms (policy key: limits.wall_time_ms)");
  const Outcome cpu = ended_by(Ending::cpu_time, {.cpu_time_ms = 7});
  EXPECT_EQ(cpu.status, Status::quota_exceeded);
  EXPECT_EQ(cpu.limit, "cpu_time");
  EXPECT_EQ(cpu.error->message, "the CPU-time limit of 7 ms was reached");
  EXPECT_EQ(cpu.error->hint, "try --cpu 70ms (policy key: limits.cpu_time_ms)");
  const Outcome output = ended_by(Ending::output, {.output_bytes = 9});
  EXPECT_EQ(output.limit, "output");
  EXPECT_EQ(output.status, Status::quota_exceeded);
  EXPECT_EQ(output.error->message, "the output limit of 9 bytes was exceeded");
  EXPECT_EQ(output.error->hint, "try --output 90 (policy key: limits.output_bytes)");
}

TEST(EndingDescription, ACancelledRunHasNoLimit) {
  const Outcome outcome = ended_by(Ending::cancelled);
  EXPECT_EQ(outcome.status, Status::cancelled);
  EXPECT_EQ(outcome.limit, "");
}

TEST(EndingDescription, LeaveToOthersWhatEndedByItselfOrForNoKnownReason) {
  for (const Ending ending :
       {Ending::none, Ending::exited, Ending::start_failed, Ending::init_lost}) {
    Outcome outcome;
    EXPECT_FALSE(name_ending(ending, {}, outcome)) << to_string(ending);
    EXPECT_EQ(outcome, Outcome{});
  }
}

}  // namespace
}  // namespace bawn
