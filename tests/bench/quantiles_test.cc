#include "bench/spawn/quantiles.h"

#include <gtest/gtest.h>

#include <numeric>

namespace bawn::bench {
namespace {

TEST(Quantiles, AreValuesThatWereMeasured) {
  EXPECT_EQ(quantiles_of({7}), (Quantiles{7, 7, 7}));
  EXPECT_EQ(quantiles_of({1, 9}), (Quantiles{1, 9, 9}));
  EXPECT_EQ(quantiles_of({1, 2, 9}), (Quantiles{2, 9, 9}));
}

TEST(Quantiles, OfAHundredAreTheFiftiethNinetyFifthAndNinetyNinth) {
  std::vector<double> values(100);
  std::iota(values.rbegin(), values.rend(), 1.0);
  EXPECT_EQ(quantiles_of(values), (Quantiles{50, 95, 99}));
  values.push_back(101);
  EXPECT_EQ(quantiles_of(values), (Quantiles{51, 96, 100}));
}

TEST(Quantiles, OfNothingAreZero) { EXPECT_EQ(quantiles_of({}), Quantiles{}); }

}  // namespace
}  // namespace bawn::bench
