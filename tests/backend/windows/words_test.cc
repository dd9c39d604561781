#include "backend/windows/syntax/words.h"

#include <gtest/gtest.h>

namespace bawn::windows {
namespace {

WordContext context() {
  return {.directory = "/c/work",
          .exists = [](std::string_view path) { return path == "/c/Users" || path == "/c/s"; },
          .is_drive = [](char letter) { return letter == 'c' || letter == 'z'; }};
}
std::string word(std::string_view text) { return portable_word(text, context()); }

TEST(Words, ADriveBecomesTheFirstNameOfThePath) {
  EXPECT_EQ(word("C:\\x\\y"), "/c/x/y");
  EXPECT_EQ(word("d:/x"), "/d/x");
  EXPECT_EQ(word("--out=C:\\x"), "--out=/c/x");
  EXPECT_EQ(word("C:\\a;C:\\b"), "/c/a;/c/b");
  EXPECT_EQ(word("-IC:\\inc"), "-I/c/inc");
  EXPECT_EQ(word("x=@C:\\f"), "x=@/c/f");
}

TEST(Words, BackslashesSeparateNames) {
  EXPECT_EQ(word("..\\up"), "../up");
  EXPECT_EQ(word("sub\\file"), "sub/file");
}

TEST(Words, ASwitchIsAnOptionUnlessItNamesSomething) {
  EXPECT_EQ(word("/q"), "-q");
  EXPECT_EQ(word("/c"), "-c");
  EXPECT_EQ(word("/out:C:\\x"), "-out:/c/x");
  EXPECT_EQ(word("/IC:\\inc"), "-I/c/inc");
  EXPECT_EQ(word("/Users"), "/Users");
  EXPECT_EQ(word("/Users/you"), "/Users/you");
  EXPECT_EQ(word("/a/b"), "/c/a/b");
}

TEST(Words, ARootedPathOfOneLetterIsNotADrive) {
  EXPECT_EQ(word("/s"), "/c/s");
  EXPECT_EQ(word("\\z\\secret"), "/c/z/secret");
  EXPECT_EQ(word("f=\\z\\secret"), "f=/c/z/secret");
}

TEST(Words, WhatIsOnNoDriveIsMarked) {
  EXPECT_EQ(word("\\\\server\\share"), "/unc/server/share");
  EXPECT_EQ(word("f=\\\\?\\C:\\x"), "f=/unc/?/C:/x");
}

// `c:x` is relative to the current directory of that drive.
TEST(Words, ADriveWithoutASlashStaysRecognisable) {
  EXPECT_EQ(word("c:x"), "/unc/c:x");
  EXPECT_EQ(word("C:"), "/unc/C:");
  EXPECT_EQ(word("q:x"), "q:x");
}

TEST(Words, OtherTextStaysAsItIs) {
  for (const char* text :
       {"plain", "-v", "--long", "a:b", "https://host/x", "key=value", "", "/", "\\\\"})
    EXPECT_EQ(word(text), text);
}

TEST(Words, AcceptThePortableFormWhereNoProgramReadsThem) {
  EXPECT_EQ(portable_spelling("/z/tools/x.exe", context()), "/z/tools/x.exe");
  EXPECT_EQ(portable_spelling("Z:\\tools\\x.exe", context()), "/z/tools/x.exe");
  EXPECT_EQ(portable_spelling("\\\\server\\x.exe", context()), "/unc/server/x.exe");
}

TEST(Words, OfARequestAreTranslatedTogether) {
  const Request seen = portable_request({.command = "C:\\t\\x.exe",
                                         .args = {"..\\a"},
                                         .cwd = "sub\\d",
                                         .env = {{"node_options", "1"}}},
                                        context());
  EXPECT_EQ(seen.command, "/c/t/x.exe");
  EXPECT_EQ(seen.args, std::vector<std::string>{"../a"});
  EXPECT_EQ(seen.cwd, "sub/d");
  EXPECT_TRUE(seen.env.contains("NODE_OPTIONS"));
}

}  // namespace
}  // namespace bawn::windows
