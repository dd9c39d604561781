#include "capture/intake.h"

#include <gtest/gtest.h>

#include <limits>

namespace bawn {
namespace {

TEST(OutputQuota, AdmitsExactlyItsLimit) {
  OutputQuota quota(10);
  EXPECT_EQ(quota.admit(4), 4u);
  EXPECT_EQ(quota.admit(6), 6u);
  EXPECT_FALSE(quota.exceeded());
}

TEST(OutputQuota, IsExceededByOneByteMore) {
  OutputQuota quota(10);
  EXPECT_EQ(quota.admit(10), 10u);
  EXPECT_EQ(quota.admit(1), 0u);
  EXPECT_TRUE(quota.exceeded());
}

TEST(OutputQuota, AdmitsTheBeginningOfAChunkThatDoesNotFit) {
  OutputQuota quota(10);
  EXPECT_EQ(quota.admit(7), 7u);
  EXPECT_EQ(quota.admit(7), 3u);
  EXPECT_EQ(quota.admit(7), 0u);
}

TEST(OutputQuota, CountsWhatItDidNotAdmit) {
  OutputQuota quota(1);
  for (int i = 0; i < 5; ++i) (void)quota.admit(1000);
  EXPECT_EQ(quota.written(), 5000u);
}

TEST(OutputQuota, OfZeroAdmitsNothingAndIsExceededOnlyByOutput) {
  OutputQuota quota(0);
  EXPECT_EQ(quota.admit(0), 0u);
  EXPECT_FALSE(quota.exceeded());
  EXPECT_EQ(quota.admit(1), 0u);
  EXPECT_TRUE(quota.exceeded());
}

TEST(OutputQuota, WithoutLimitAdmitsEverythingAndStillCounts) {
  OutputQuota quota(Limit{});
  EXPECT_EQ(quota.admit(1 << 20), std::size_t{1 << 20});
  EXPECT_EQ(quota.written(), 1u << 20);
  EXPECT_FALSE(quota.exceeded());
}

TEST(OutputQuota, DoesNotOpenAgainWhenTheCountIsAtItsTop) {
  constexpr std::size_t kHuge = std::numeric_limits<std::size_t>::max();
  OutputQuota quota(10);
  EXPECT_EQ(quota.admit(kHuge), 10u);
  EXPECT_EQ(quota.admit(kHuge), 0u);
  EXPECT_EQ(quota.admit(5), 0u);
  EXPECT_TRUE(quota.exceeded());
}

}  // namespace
}  // namespace bawn
