#include "base/run_id.h"

#include <gtest/gtest.h>

#include <array>

namespace bawn {
namespace {

constexpr std::array<unsigned char, 10> kZeros{};
constexpr std::array<unsigned char, 10> kOnes{0xff, 0xff, 0xff, 0xff, 0xff,
                                              0xff, 0xff, 0xff, 0xff, 0xff};

TEST(RunId, HasTwentySixCharacters) {
  EXPECT_EQ(make_run_id(0, kZeros), "00000000000000000000000000");
  EXPECT_EQ(make_run_id(0xffffffffffff, kOnes), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
}

TEST(RunId, SortsByTimeBeforeRandomness) {
  EXPECT_LT(make_run_id(1000, kOnes), make_run_id(1001, kZeros));
}

}  // namespace
}  // namespace bawn
