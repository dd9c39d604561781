#include "host/id_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bawn {

// gtest uses it in messages.
void PrintTo(const IdExtent& extent, std::ostream* out) { *out << describe_id_map({extent}); }

namespace {

using testing::ElementsAre;

constexpr std::uint32_t kLastId = 0xffff'fffe;

TEST(MountMap, GivesTheOwnersFilesToTheUserAndLeavesAllOthers) {
  EXPECT_THAT(plan_mount_map(0, 700), ElementsAre(IdExtent{0, 700, 1}, IdExtent{1, 1, 699},
                                                  IdExtent{701, 701, 4294966594}));
  EXPECT_THAT(plan_mount_map(1000, 700),
              ElementsAre(IdExtent{0, 0, 700}, IdExtent{701, 701, 299}, IdExtent{1000, 700, 1},
                          IdExtent{1001, 1001, 4294966294}));
  EXPECT_THAT(plan_mount_map(700, 700), ElementsAre(IdExtent{0, 0, 700}, IdExtent{700, 700, 1},
                                                    IdExtent{701, 701, 4294966594}));
}

TEST(IdMap, OfOneThatKeepsItsIdHasItInTheMiddle) {
  const IdRange range{100000, 65536};
  EXPECT_THAT(plan_id_map({1000, 1000}, {&range, 1}),
              ElementsAre(IdExtent{0, 100000, 1000}, IdExtent{1000, 1000, 1},
                          IdExtent{1001, 101000, 64536}));
}

TEST(IdMap, OfOneThatIsRootInsideHasTheRangeBehindIt) {
  const IdRange range{100000, 65536};
  EXPECT_THAT(plan_id_map({0, 1000}, {&range, 1}),
              ElementsAre(IdExtent{0, 1000, 1}, IdExtent{1, 100000, 65536}));
}

TEST(IdMap, WithoutRangesIsOneId) {
  EXPECT_THAT(plan_id_map({1000, 1000}, {}), ElementsAre(IdExtent{1000, 1000, 1}));
  EXPECT_THAT(plan_id_map({0, 1000}, {}), ElementsAre(IdExtent{0, 1000, 1}));
}

TEST(IdMap, LeavesAGapBelowAnIdThatTheRangesDoNotReach) {
  const IdRange range{100000, 10};
  EXPECT_THAT(plan_id_map({1000, 1000}, {&range, 1}),
              ElementsAre(IdExtent{0, 100000, 10}, IdExtent{1000, 1000, 1}));
}

TEST(IdMap, HasNothingBehindAnIdThatTheRangesJustReach) {
  const IdRange range{100000, 1000};
  EXPECT_THAT(plan_id_map({1000, 1000}, {&range, 1}),
              ElementsAre(IdExtent{0, 100000, 1000}, IdExtent{1000, 1000, 1}));
}

TEST(IdMap, TakesRangesInTheirOrder) {
  const IdRange ranges[] = {{200000, 3}, {100000, 4}, {300000, 2}};
  EXPECT_THAT(plan_id_map({5, 1000}, ranges),
              ElementsAre(IdExtent{0, 200000, 3}, IdExtent{3, 100000, 2}, IdExtent{5, 1000, 1},
                          IdExtent{6, 100002, 2}, IdExtent{8, 300000, 2}));
}

// The kernel refuses a map with two entries for one id of the host.
TEST(IdMap, HasNoIdOfTheHostTwice) {
  const IdRange ranges[] = {{100, 10}, {100, 10}, {105, 10}, {95, 30}};
  EXPECT_THAT(plan_id_map({0, 7}, ranges),
              ElementsAre(IdExtent{0, 7, 1}, IdExtent{1, 100, 10}, IdExtent{11, 110, 5},
                          IdExtent{16, 95, 5}, IdExtent{21, 115, 10}));
}

TEST(IdMap, HasItsOwnIdOnceAlsoIfARangeCoversIt) {
  const IdRange range{998, 5};
  EXPECT_THAT(plan_id_map({0, 1000}, {&range, 1}),
              ElementsAre(IdExtent{0, 1000, 1}, IdExtent{1, 998, 2}, IdExtent{3, 1001, 2}));
}

TEST(IdMap, HasTheHostsRootOnlyIfThatIsWhoItIs) {
  const IdRange range{0, 3};
  EXPECT_THAT(plan_id_map({0, 1000}, {&range, 1}),
              ElementsAre(IdExtent{0, 1000, 1}, IdExtent{1, 1, 2}));
  EXPECT_THAT(plan_id_map({0, 0}, {&range, 1}), ElementsAre(IdExtent{0, 0, 1}, IdExtent{1, 1, 2}));
}

TEST(IdMap, EndsBeforeTheInvalidId) {
  const IdRange all{1, kLastId};
  EXPECT_THAT(plan_id_map({0, 0}, {&all, 1}),
              ElementsAre(IdExtent{0, 0, 1}, IdExtent{1, 1, kLastId}));
  const IdRange too_far{kLastId - 1, 10};
  EXPECT_THAT(plan_id_map({0, 7}, {&too_far, 1}),
              ElementsAre(IdExtent{0, 7, 1}, IdExtent{1, kLastId - 1, 2}));
  const IdRange nobody{0xffff'ffff, 1};
  EXPECT_THAT(plan_id_map({0, 7}, {&nobody, 1}), ElementsAre(IdExtent{0, 7, 1}));
  // The first range uses up all ids, so nothing is left for the second.
  const IdRange ranges[] = {{2, kLastId - 1}, {1, 1}};
  EXPECT_THAT(plan_id_map({0, 1}, ranges),
              ElementsAre(IdExtent{0, 1, 1}, IdExtent{1, 2, kLastId - 1}));
}

TEST(IdMap, GoesThroughTheKernelsForm) {
  const IdMap map = {{0, 100000, 1000}, {1000, 1000, 1}, {1001, 101000, 64536}};
  EXPECT_EQ(id_map_text(map), "0 100000 1000\n1000 1000 1\n1001 101000 64536\n");
  EXPECT_EQ(parse_id_map("         0     100000       1000\n      1000       1000          1\n"
                         "      1001     101000      64536\n"),
            map);
  EXPECT_EQ(parse_id_map(""), IdMap{});
}

TEST(IdMap, IsNotReadFromAnythingElse) {
  for (const char* text : {"0 1 2", "0 1\n", "0 1 2 3\n", "a 1 2\n", "0 1 -2\n", "0 1 4294967296\n",
                           "\n", "0 1 2\n\n"})
    EXPECT_EQ(parse_id_map(text), std::nullopt) << text;
}

TEST(IdMap, FitsTheKernelUpToAPage) {
  IdMap map;
  for (std::uint32_t i = 0; i < 200; ++i) map.push_back({i, 100000 + 2 * i, 1});
  EXPECT_TRUE(fits_kernel(map));
  for (std::uint32_t i = 200; i < 340; ++i) map.push_back({i, 100000 + 2 * i, 1});
  EXPECT_FALSE(fits_kernel(map)) << id_map_text(map).size();
  IdMap short_lines;
  for (std::uint32_t i = 0; i < 341; ++i) short_lines.push_back({i, i, 1});
  EXPECT_LT(id_map_text(short_lines).size(), 4096U);
  EXPECT_FALSE(fits_kernel(short_lines));
  short_lines.pop_back();
  EXPECT_TRUE(fits_kernel(short_lines));
}

TEST(IdMap, HasWords) {
  EXPECT_EQ(describe_id_map({{0, 100000, 1000}, {1000, 1000, 1}}),
            "0-999 are 100000-100999, 1000 is 1000");
}

}  // namespace
}  // namespace bawn
