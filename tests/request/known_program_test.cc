#include "request/known_program.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

TEST(KnownProgram, NamesTheLastComponent) {
  EXPECT_EQ(program_name("/usr/bin/git"), "git");
  EXPECT_EQ(program_name("git"), "git");
  EXPECT_EQ(program_name("./run.sh"), "run.sh");
  EXPECT_EQ(program_name("/usr/bin/"), "");
  EXPECT_EQ(program_name(""), "");
}

TEST(KnownProgram, TellsTextTakersFromToolsWithPlainWords) {
  EXPECT_TRUE(takes_names_or_text("echo"));
  EXPECT_FALSE(takes_names_or_text("git"));
  EXPECT_TRUE(takes_plain_words("git"));
  EXPECT_TRUE(takes_plain_words("ls"));
  EXPECT_FALSE(takes_plain_words("jq"));
  EXPECT_TRUE(is_common_tool("jq"));
  EXPECT_TRUE(has_subcommands("cargo"));
  EXPECT_FALSE(has_subcommands("ls"));
  EXPECT_TRUE(has_own_cwd_option("yarn"));
  EXPECT_FALSE(has_own_cwd_option("git"));
}

TEST(KnownProgram, KnowsNothingAboutAnUnknownOne) {
  for (const char* name : {"", "mytool", "GIT", "gi", "gitt"}) {
    EXPECT_FALSE(takes_names_or_text(name) || has_own_cwd_option(name) || has_subcommands(name) ||
                 takes_plain_words(name) || is_common_tool(name))
        << name;
  }
}

}  // namespace
}  // namespace bawn
