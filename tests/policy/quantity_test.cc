#include "policy/text/quantity.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

constexpr std::uint64_t kKi = 1024;

TEST(Quantity, ReadsSizesInBinaryUnits) {
  EXPECT_EQ(parse_size("0").value(), Limit{0});
  EXPECT_EQ(parse_size("4096").value(), Limit{4096});
  EXPECT_EQ(parse_size("64K").value(), Limit{64 * kKi});
  EXPECT_EQ(parse_size("64KiB").value(), Limit{64 * kKi});
  EXPECT_EQ(parse_size("256M").value(), Limit{256 * kKi * kKi});
  EXPECT_EQ(parse_size("256m").value(), Limit{256 * kKi * kKi});
  EXPECT_EQ(parse_size("1G").value(), Limit{kKi * kKi * kKi});
  EXPECT_EQ(parse_size("1T").value(), Limit{kKi * kKi * kKi * kKi});
}

TEST(Quantity, ReadsDurationsInMilliseconds) {
  EXPECT_EQ(parse_duration_ms("500ms").value(), Limit{500});
  EXPECT_EQ(parse_duration_ms("2s").value(), Limit{2000});
  EXPECT_EQ(parse_duration_ms("1m").value(), Limit{60'000});
  EXPECT_EQ(parse_duration_ms("1h").value(), Limit{3'600'000});
  EXPECT_EQ(parse_duration_ms("7d").value(), Limit{604'800'000});
}

TEST(Quantity, ReadsProcessorsInHundredths) {
  EXPECT_EQ(parse_processors("2").value(), Limit{200});
  EXPECT_EQ(parse_processors("1.5").value(), Limit{150});
  EXPECT_EQ(parse_processors("0.25").value(), Limit{25});
  EXPECT_EQ(parse_processors("unlimited").value(), Limit{});
  for (const auto* text :
       {"", ".", "1.", ".5", "1.255", "1,5", "-1", "1.-5", "1.5.5", "x", "50%", "unlimited.5"})
    EXPECT_FALSE(parse_processors(text).ok()) << text;
}

TEST(Quantity, UnlimitedIsAWordAndNeverAGuess) {
  EXPECT_EQ(parse_size("unlimited").value(), Limit{});
  EXPECT_EQ(parse_duration_ms("unlimited").value(), Limit{});
  EXPECT_EQ(parse_count("unlimited").value(), Limit{});
  for (const auto* text : {"", "-1", "none", "Unlimited", "inf", "unlimited "}) {
    EXPECT_FALSE(parse_size(text).ok()) << text;
    EXPECT_FALSE(parse_duration_ms(text).ok()) << text;
    EXPECT_FALSE(parse_count(text).ok()) << text;
  }
}

TEST(Quantity, ADurationNeedsItsUnit) {
  const Result<Limit> bare = parse_duration_ms("30");
  ASSERT_FALSE(bare.ok());
  EXPECT_EQ(bare.error().message,
            "'30' is not a duration: expected a whole number with ms, s, m, h or d, such as 30s, "
            "or unlimited");
}

TEST(Quantity, RefusesFractionsSignsBlanksAndUnknownUnits) {
  for (const auto* text : {"1.5G", "+1", " 1", "1 G", "1Gb", "1MB", "0x10", "G", "1GG", "1e3"}) {
    EXPECT_FALSE(parse_size(text).ok()) << text;
  }
  EXPECT_FALSE(parse_duration_ms("1m30s").ok());
  EXPECT_FALSE(parse_count("64K").ok());
  EXPECT_TRUE(parse_count("64").ok());
}

TEST(Quantity, SaysThatANumberIsTooLarge) {
  EXPECT_EQ(parse_size("99999999999999999999").error().message,
            "'99999999999999999999' is too large");
  EXPECT_EQ(parse_size("8388608T").error().message, "'8388608T' is too large");
  EXPECT_TRUE(parse_size("8388607T").ok());
  EXPECT_TRUE(parse_size("9223372036854775807").ok());
  EXPECT_FALSE(parse_size("9223372036854775808").ok());
}

TEST(Quantity, IsPrintedAsItsParserTakesIt) {
  EXPECT_EQ(size_text(0), "0");
  EXPECT_EQ(size_text(1023), "1023");
  EXPECT_EQ(size_text(1024), "1K");
  EXPECT_EQ(size_text(1536 * 1024), "1536K");
  EXPECT_EQ(size_text(3ULL << 40), "3T");
  EXPECT_EQ(duration_text(0), "0ms");
  EXPECT_EQ(duration_text(1500), "1500ms");
  EXPECT_EQ(duration_text(90'000), "90s");
  EXPECT_EQ(duration_text(2 * 24 * 60 * 60 * 1000), "2d");
  EXPECT_EQ(count_text(4096), "4096");
  for (const std::uint64_t hundredths : {0U, 1U, 10U, 25U, 100U, 105U, 110U, 150U, 1048576U})
    EXPECT_EQ(parse_processors(processors_text(hundredths)).value(), hundredths);
  EXPECT_EQ(processors_text(105), "1.05");
  EXPECT_EQ(processors_text(150), "1.5");
}

}  // namespace
}  // namespace bawn
