#include "base/stopwatch.h"

#include <gtest/gtest.h>

#include <chrono>

namespace bawn {
namespace {

std::uint64_t steady_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return static_cast<std::uint64_t>(std::chrono::nanoseconds(now).count());
}

TEST(Stopwatch, ThatWasNotStartedKnowsNothing) {
  Stopwatch stopwatch;
  stopwatch.lap("a");
  EXPECT_FALSE(stopwatch.running());
  EXPECT_TRUE(stopwatch.laps().empty());
}

TEST(Stopwatch, TellsEachStepFromTheEndOfTheOneBefore) {
  Stopwatch stopwatch;
  const std::uint64_t before = steady_now();
  stopwatch.start();
  stopwatch.lap("a");
  stopwatch.lap("b");
  const std::uint64_t after = steady_now();
  const auto laps = stopwatch.laps();
  ASSERT_EQ(laps.size(), 2U);
  EXPECT_EQ(laps[0].step, "a");
  EXPECT_EQ(laps[1].step, "b");
  EXPECT_LE(laps[0].ns + laps[1].ns, after - before);
}

TEST(Stopwatch, PutsWhatOthersSawInItsPlace) {
  Stopwatch stopwatch;
  stopwatch.start();
  const std::uint64_t now = steady_now();
  stopwatch.add("last", now + 3000);
  stopwatch.add("first", now + 1000);
  stopwatch.add("second", now + 1500);
  const auto laps = stopwatch.laps();
  ASSERT_EQ(laps.size(), 3U);
  EXPECT_EQ(laps[0].step, "first");
  EXPECT_EQ(laps[1].step, "second");
  EXPECT_EQ(laps[1].ns, 500U);
  EXPECT_EQ(laps[2].ns, 1500U);
}

TEST(Stopwatch, TakesAMomentFromBeforeTheStartForNoTimeAtAll) {
  Stopwatch stopwatch;
  stopwatch.start();
  stopwatch.add("another clock's", 1);
  ASSERT_EQ(stopwatch.laps().size(), 1U);
  EXPECT_EQ(stopwatch.laps()[0].ns, 0U);
}

}  // namespace
}  // namespace bawn
