#include "base/visible.h"

#include <gtest/gtest.h>

#include "base/text.h"
#include "unseen_cases.h"

namespace bawn {
namespace {

using namespace std::string_view_literals;

TEST(Visible, ShowsEveryCharacterThatIsNotSeen) {
  for (const UnseenCase& c : kUnseenCases) {
    EXPECT_EQ(visible(concat("a", c.text, "b"), Layout::lines), concat("a", c.shown, "b"));
    EXPECT_EQ(visible(concat("a", c.text, "b"), Layout::one_line), concat("a", c.shown, "b"));
    EXPECT_EQ(visible(c.text, Layout::lines), c.shown);
    EXPECT_EQ(quote(c.text), concat("'", c.shown, "'"));
  }
}

// Both ends of every range in the table, and their visible neighbours.
TEST(Visible, LeavesTheNeighboursOfUnseenCharactersAlone) {
  for (const std::string_view text :
       {"\u00a0"sv,     "\u00ac"sv,     "\u00ae"sv,     "\u034e"sv,    "\u0350"sv, "\u061b"sv,
        "\u061d"sv,     "\u1161"sv,     "\u17b6"sv,     "\u1810"sv,    "\u200a"sv, "\u2010"sv,
        "\u2027"sv,     "\u202f"sv,     "\u205f"sv,     "\u2070"sv,    "\u27ff"sv, "\u2801"sv,
        "\U0001342f"sv, "\U00013441"sv, "\u3000"sv,     "\u3165"sv,    "\ufe10"sv, "\ufffc"sv,
        "\ufffd"sv,     "\U0001f600"sv, "\U0001d172"sv, "\U0001d17b"sv}) {
    EXPECT_EQ(visible(text, Layout::one_line), text);
  }
}

TEST(Visible, ShowsWhatATerminalObeys) {
  EXPECT_EQ(visible("\x1b[2Jx\x07\b\x7f\0"sv, Layout::lines), "\\x1b[2Jx\\x07\\x08\\x7f\\x00");
  EXPECT_EQ(visible("\u009b1m\u0080\u009f", Layout::lines), "\\u009b1m\\u0080\\u009f");
}

TEST(Visible, ShowsBytesThatAreNotUtf8) {
  // A lone continuation byte, an overlong escape, a surrogate, a code point beyond the last one, a
  // truncated character.
  EXPECT_EQ(
      visible("\x9b|\xc0\x9b|\xe0\x80\x9b|\xed\xa0\x80|\xf4\x90\x80\x80|\xe2\x80", Layout::lines),
      "\\x9b|\\xc0\\x9b|\\xe0\\x80\\x9b|\\xed\\xa0\\x80|\\xf4\\x90\\x80\\x80|\\xe2\\x80");
  EXPECT_FALSE(visible_utf8("a\xff"));
  EXPECT_EQ(visible_utf8("a\u202e\n"), "a\\u202e\n");
}

TEST(Visible, KeepsLinesWhereLinesAreAskedFor) {
  EXPECT_EQ(visible("a\tb\r\nc\rd\n", Layout::lines), "a\tb\r\nc\\x0dd\n");
  EXPECT_EQ(visible("a\tb\r\nc", Layout::one_line), "a\\x09b\\x0d\\x0ac");
}

TEST(Visible, KeepsEmojiTogether) {
  for (const std::string_view text : {
           "\u26a0\ufe0f done"sv,                                            // warning sign
           "\u2764\ufe0f\u200d\U0001f525"sv,                                 // heart on fire
           "\U0001f468\u200d\U0001f469\u200d\U0001f467"sv,                   // family
           "\U0001f468\U0001f3fd\u200d\U0001f4bb"sv,                         // with a skin tone
           "\U0001f3f3\ufe0f\u200d\U0001f308 1\ufe0f\u20e3 \u00a9\ufe0f"sv,  // flag, keycap,
                                                                             // copyright
       }) {
    EXPECT_EQ(visible(text, Layout::one_line), text);
  }
}

// Outside of an emoji the same characters are invisible, so they must be shown.
TEST(Visible, ShowsJoinersAndStylesThatJoinNoPicture) {
  EXPECT_EQ(visible("a\u200db", Layout::lines), "a\\u200db");
  EXPECT_EQ(visible("\U0001f468\u200dx", Layout::lines), "\U0001f468\\u200dx");
  EXPECT_EQ(visible("x\u200d\U0001f468", Layout::lines), "x\\u200d\U0001f468");
  EXPECT_EQ(visible("\U0001f468\u200d\u200d\U0001f468", Layout::lines),
            "\U0001f468\\u200d\\u200d\U0001f468");
  EXPECT_EQ(visible("\u26a0\ufe0f\ufe0f", Layout::lines), "\u26a0\ufe0f\\ufe0f");
  EXPECT_EQ(visible("\u26a0\ufe00", Layout::lines), "\u26a0\\ufe00");
  EXPECT_EQ(visible("a\ufe0f 1\ufe0f", Layout::lines), "a\\ufe0f 1\\ufe0f");
}

}  // namespace
}  // namespace bawn
