#include "base/text.h"

#include <gtest/gtest.h>

#include <array>

namespace bawn {
namespace {

using namespace std::string_view_literals;

TEST(Quote, EscapesWhatATerminalWouldObey) {
  EXPECT_EQ(quote("a\x1b[31m"), "'a\\x1b[31m'");
  EXPECT_EQ(quote("\xc2\x9b"), "'\\u009b'");
  EXPECT_EQ(quote("it's\n"), "'it\\'s\\n'");
  EXPECT_EQ(quote("\xff"), "'\\xff'");
  EXPECT_EQ(quote("grün"), "'grün'");
}

TEST(Quote, ShortensLongTextAndSaysHowLongItWas) {
  const std::string text(1000, 'x');
  EXPECT_EQ(quote(text), concat("'", std::string(256, 'x'), "' (1000 bytes)"));
}

TEST(Nearest, FindsASlipOfTheFingerAndNothingElse) {
  constexpr std::array candidates{"strict"sv, "basic"sv, "agent"sv};
  EXPECT_EQ(nearest("strct", candidates), "strict");
  EXPECT_EQ(nearest("wholly different", candidates), "");
}

TEST(Nearest, FindsTheLongFormOfAStem) {
  constexpr std::array candidates{"memory_bytes"sv, "wall_time_ms"sv};
  EXPECT_EQ(nearest("memory", candidates), "memory_bytes");
  EXPECT_EQ(nearest("wa", candidates), "");
}

TEST(Nearest, DoesNotTakeOneLetterForAnother) {
  constexpr std::array candidates{"b"sv, "c"sv};
  EXPECT_EQ(nearest("d", candidates), "");
  EXPECT_EQ(nearest("", candidates), "");
  EXPECT_EQ(nearest("bb", candidates), "b");
}

TEST(Split, KeepsEmptyPieces) { EXPECT_EQ(split("a::b", ':'), (std::vector{"a"sv, ""sv, "b"sv})); }

TEST(Utf8, RefusesOverlongSurrogateAndTruncatedSequences) {
  EXPECT_EQ(utf8_sequence_length("a"), 1U);
  EXPECT_EQ(utf8_sequence_length("\xc3\xbc"), 2U);
  EXPECT_EQ(utf8_sequence_length("\xf0\x9f\x98\x80"), 4U);
  for (const auto bad :
       {"\xc0\x80"sv, "\xe0\x80\x80"sv, "\xed\xa0\x80"sv, "\xf4\x90\x80\x80"sv, "\xc3"sv, ""sv}) {
    EXPECT_EQ(utf8_sequence_length(bad), 0U) << quote(bad);
  }
}

TEST(Base64, PadsToFourCharacters) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xff\0\x7f"sv), "/wB/");
}

TEST(Enumerated, ReadsLikeASentence) {
  const std::vector<std::string> items{"a", "b", "c"};
  EXPECT_EQ(enumerated(items), "a, b and c");
}

}  // namespace
}  // namespace bawn
