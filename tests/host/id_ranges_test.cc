#include "host/id_ranges.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bawn {

void PrintTo(const IdRange& range, std::ostream* out) { *out << range.first << "+" << range.count; }

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const IdOwner kYou = {.name = "you", .id = 1000};

TEST(IdRanges, AreGivenByNameOrNumberOnAsManyLinesAsThereAre) {
  EXPECT_THAT(
      ranges_in("root:1:2\nyou:200000:65536\nother:300000:10\n1000:100000:5\nyou:7:1\n", kYou),
      ElementsAre(IdRange{200000, 65536}, IdRange{100000, 5}, IdRange{7, 1}));
}

TEST(IdRanges, AreNotGivenToAUserWithASimilarName) {
  for (const char* line : {"youth:1:2", "yo:1:2", "You:1:2", "10000:1:2", "100:1:2", "01000:1:2",
                           " you:1:2", "you :1:2"})
    EXPECT_THAT(ranges_in(line, kYou), IsEmpty()) << line;
  EXPECT_THAT(ranges_in("you:1:2", kYou), ElementsAre(IdRange{1, 2}));
}

TEST(IdRanges, OfOneWithoutANameAreGivenByNumberOnly) {
  EXPECT_THAT(ranges_in(":1:2\nyou:3:4\n1000:5:6\n", {.name = "", .id = 1000}),
              ElementsAre(IdRange{5, 6}));
}

TEST(IdRanges, AreNotInLinesOfAnotherForm) {
  for (const char* line : {"",
                           "you",
                           "you:",
                           "you:1",
                           "you:1:",
                           "you::2",
                           "you:1:2:3",
                           "you:a:2",
                           "you:1:b",
                           "you:-1:2",
                           "you:1:-2",
                           "you:1:+2",
                           "you: 1:2",
                           "you:1:2 ",
                           "you:0x10:2",
                           "you:1:0",
                           "#you:1:2",
                           "you:18446744073709551616:2",
                           "you:4294967295:1",
                           "you:4294967296:1"})
    EXPECT_THAT(ranges_in(line, kYou), IsEmpty()) << line;
  EXPECT_THAT(ranges_in("garbage\nyou:1:2\n::::\nyou:3:4", kYou),
              ElementsAre(IdRange{1, 2}, IdRange{3, 4}));
}

TEST(IdRanges, EndBeforeTheInvalidId) {
  EXPECT_THAT(ranges_in("you:4294967294:10\n", kYou), ElementsAre(IdRange{4294967294, 1}));
  EXPECT_THAT(ranges_in("you:1:18446744073709551615\n", kYou), ElementsAre(IdRange{1, 4294967294}));
  EXPECT_THAT(ranges_in("you:0:4294967296\n", kYou), ElementsAre(IdRange{0, 4294967295}));
}

TEST(IdRanges, BelongToTheFirstNameInPasswd) {
  const std::string_view passwd =
      "root:x:0:1000:root:/root:/bin/bash\nbroken:x:1000\n:x:1000:100::/nameless:/bin/sh\n"
      "you:x:1000:100::/home/you:/bin/sh\nme:x:1000:100::/home/me:/bin/sh\nlast:x:7:7::/last:";
  EXPECT_EQ(name_in_passwd(passwd, 1000), "you");
  EXPECT_EQ(name_in_passwd(passwd, 0), "root");
  EXPECT_EQ(name_in_passwd(passwd, 7), "last") << "no newline behind it";
  EXPECT_EQ(name_in_passwd(passwd, 100), "") << "a group";
  EXPECT_EQ(name_in_passwd("", 0), "");
}

TEST(IdRanges, ThatAreMissingHaveALineWithFreeIds) {
  EXPECT_EQ(line_to_add("", kYou), "you:100000:65536");
  EXPECT_EQ(line_to_add("a:100000:65536\nb:300000:65536\nc:165536:65536\n", kYou),
            "you:365536:65536");
  EXPECT_EQ(line_to_add("a:1:2\n", {.name = "", .id = 1000}), "1000:100000:65536");
  EXPECT_EQ(line_to_add("a:1:4294967294\n", kYou), "you:FIRST:65536")
      << "there is no room that could be named";
}

}  // namespace
}  // namespace bawn
