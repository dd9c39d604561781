#include "handoff/git_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace bawn::handoff {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// "core.editor=vi", for each setting.
std::vector<std::string> settings(std::string_view text) {
  std::vector<std::string> out;
  for (const GitSetting& setting : read_git_config(text).settings)
    out.push_back(concat(key_of(setting), "=", setting.value));
  return out;
}

bool is_complete(std::string_view text) { return read_git_config(text).complete; }

TEST(GitConfig, HasSectionsAndNamesInAnyCase) {
  EXPECT_THAT(settings("[Core]\n\tEditor = vi\n[user]\nname=Me\n"),
              ElementsAre("core.editor=vi", "user.name=Me"));
}

TEST(GitConfig, KeepsTheCaseOfAQuotedSubsectionAndNotOfAnOldOne) {
  EXPECT_THAT(settings("[Filter \"A b.C\"]\nclean=x\n[Filter.LFS]\nclean=y\n"),
              ElementsAre("filter.A b.C.clean=x", "filter.lfs.clean=y"));
}

TEST(GitConfig, UnescapesASubsection) {
  EXPECT_THAT(settings(R"([a "q\"b\\c\d"])"
                       "\nx=1"),
              ElementsAre("a.q\"b\\cd.x=1"));
}

TEST(GitConfig, TakesSettingsOnTheLineOfTheHeader) {
  EXPECT_THAT(settings("[core] editor = vi\n[core]pager=less"),
              ElementsAre("core.editor=vi", "core.pager=less"));
}

TEST(GitConfig, ReadsValues) {
  const std::pair<const char*, const char*> kCases[] = {
      {"  a  b  ", "a  b"},
      {"a # b", "a"},
      {"a;b", "a"},
      {"\"a # b\"", "a # b"},
      {"a\" b \"c", "a b c"},
      {"\" a \"  ", " a "},
      {R"(a\tb\n\\\")", "a\tb\n\\\""},
      {"a\\\n  b", "a  b"},
      {"a\\\r\n  b", "a  b"},
      {"a\r", "a"},
      {"", ""},
  };
  for (const auto& [written, value] : kCases)
    EXPECT_THAT(settings(concat("[s]\nx =", written, "\ny=1")),
                ElementsAre(concat("s.x=", value), "s.y=1"))
        << written;
}

TEST(GitConfig, TakesANameAloneAsTrue) {
  EXPECT_THAT(settings("[core]\nbare\nsparse \n"),
              ElementsAre("core.bare=true", "core.sparse=true"));
}

TEST(GitConfig, HasCommentsAndAByteOrderMark) {
  EXPECT_THAT(settings("\xef\xbb\xbf# a = b\n[s] ; c\n; x=1\ny=2"), ElementsAre("s.y=2"));
}

// A reader that stopped at a malformed line would not see what stands behind it.
TEST(GitConfig, GoesOnBehindWhatGitRefusesAndNotesIt) {
  for (const char* bad : {"[", "[a", "[a \"b]", "[a b]", "[a \"b\" c]", "1=2", "=x", "x = \"open",
                          "x = \\q", "x y", "]", "\x01"}) {
    const std::string text = concat("[s]\n", bad, "\n[t]\ny=2\n");
    EXPECT_FALSE(is_complete(text)) << bad;
    EXPECT_THAT(settings(text), testing::Contains("t.y=2")) << bad;
  }
  EXPECT_FALSE(is_complete("x=1"));
  EXPECT_TRUE(is_complete("[s]\nx=1\n\n \t# c\n"));
}

TEST(GitConfig, KeepsANulByteAndWhatFollowsIt) {
  const std::string text("[s]\nx=a\0b\ny=1\n", 14);
  EXPECT_THAT(settings(text), ElementsAre(std::string("s.x=a\0b", 7), "s.y=1"));
}

TEST(GitConfig, IsBounded) {
  std::string text = "[s]\n";
  for (std::size_t i = 0; i <= kMostGitSettings; ++i) text += "x=1\n";
  const GitConfig config = read_git_config(text);
  EXPECT_THAT(config.settings, SizeIs(kMostGitSettings));
  EXPECT_FALSE(config.complete);
  EXPECT_THAT(settings(""), IsEmpty());
}

}  // namespace
}  // namespace bawn::handoff
