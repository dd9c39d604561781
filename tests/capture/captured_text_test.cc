#include "capture/captured_text.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

using namespace std::string_view_literals;

CapturedText text(std::string data) { return {std::move(data), false}; }

TEST(Record, KeepsOrdinaryText) {
  EXPECT_EQ(make_captured_text("a\tb\r\ngrün 😀\n", StreamEnd::whole), text("a\tb\r\ngrün 😀\n"));
  EXPECT_EQ(make_captured_text("", StreamEnd::whole), text(""));
}

TEST(Record, ShowsWhatATerminalWouldObey) {
  EXPECT_EQ(make_captured_text("\x1b[2Jx\x07\b\x7f\0"sv, StreamEnd::whole),
            text("\\x1b[2Jx\\x07\\x08\\x7f\\x00"));
  EXPECT_EQ(make_captured_text("\xc2\x9b", StreamEnd::whole), text("\\u009b"));
  EXPECT_EQ(make_captured_text("50%\r100%\r", StreamEnd::whole), text("50%\\x0d100%\\x0d"));
}

TEST(Record, ShowsWhatTurnsTheDirectionOfWriting) {
  EXPECT_EQ(make_captured_text("a\u202eb\u2066c\u2069", StreamEnd::whole),
            text("a\\u202eb\\u2066c\\u2069"));
}

TEST(Record, DropsACharacterThatWasCutOffAndOnlyThen) {
  for (const auto tail :
       {"\xc3"sv, "\xe2\x82"sv, "\xe2"sv, "\xf0\x9f\x98"sv, "\xf4\x8f"sv, "\xed\x9f"sv, "\xe0"sv}) {
    const std::string captured = "grün " + std::string(tail);
    EXPECT_EQ(make_captured_text(captured, StreamEnd::cut), text("grün "));
    EXPECT_TRUE(make_captured_text(captured, StreamEnd::whole).base64);
  }
  EXPECT_EQ(make_captured_text("grün", StreamEnd::cut), text("grün"));
}

TEST(Record, BytesThatAreNotUtf8BecomeBase64AsAWhole) {
  EXPECT_EQ(make_captured_text("a\xff", StreamEnd::whole), (CapturedText{"Yf8=", true}));
  EXPECT_EQ(make_captured_text("\xed\xa0", StreamEnd::cut), (CapturedText{"7aA=", true}));
  EXPECT_EQ(make_captured_text("a\xff\xc3", StreamEnd::cut), (CapturedText{"Yf/D", true}));
  EXPECT_EQ(make_captured_text("\x80", StreamEnd::cut), (CapturedText{"gA==", true}));
}

}  // namespace
}  // namespace bawn
