#include "validate/argument/argument_kind.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

using Words = std::vector<std::string>;

// The arguments that are text, in order.
Words text_of(std::string_view command, const Words& words) {
  Words out;
  const std::vector<bool> is_text = text_arguments(command, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_text[i]) out.push_back(words[i]);
  }
  return out;
}

TEST(TextArguments, FindThePatternOfGrep) {
  EXPECT_EQ(text_of("grep", {"-rn", "/etc/passwd", "src"}), Words{"/etc/passwd"});
  EXPECT_EQ(text_of("grep", {"-A", "3", "/etc", "src"}), Words{"/etc"});
  EXPECT_EQ(text_of("grep", {"-A3", "--color", "/etc", "src"}), Words{"/etc"});
  EXPECT_EQ(text_of("grep", {"--", "-x", "src"}), Words{"-x"});
}

TEST(TextArguments, KnowThatAPatternOptionLeavesNoPatternOperand) {
  EXPECT_EQ(text_of("grep", {"-e", "x", "/etc/shadow"}), Words{"x"});
  EXPECT_EQ(text_of("grep", {"-rex", "/etc/shadow"}), Words{"-rex"});
  EXPECT_EQ(text_of("grep", {"--regexp=x", "/etc/shadow"}), Words{"--regexp=x"});
  EXPECT_EQ(text_of("grep", {"/etc/shadow", "-e", "x"}), Words{"x"});
}

TEST(TextArguments, NeverTakeAPatternFileForText) {
  EXPECT_EQ(text_of("grep", {"-f", "/etc/shadow", "x"}), Words{});
  EXPECT_EQ(text_of("grep", {"-rf", "/etc/shadow", "x"}), Words{});
  EXPECT_EQ(text_of("grep", {"--file", "/etc/shadow", "x"}), Words{});
  EXPECT_EQ(text_of("grep", {"--fil", "/etc/shadow", "x"}), Words{});
  EXPECT_EQ(text_of("awk", {"-f", "/etc/shadow", "x"}), Words{});
}

TEST(TextArguments, KnowProgramsMessagesAndTests) {
  EXPECT_EQ(text_of("sed", {"-n", "-E", "/home/p", "f"}), Words{"/home/p"});
  EXPECT_EQ(text_of("awk", {"-F/", "/etc/", "f"}), (Words{"-F/", "/etc/"}));
  EXPECT_EQ(text_of("git", {"commit", "-am", "/etc is wrong"}), Words{"/etc is wrong"});
  EXPECT_EQ(text_of("git", {"-C", "/etc", "log", "--grep=/etc"}), Words{"--grep=/etc"});
  EXPECT_EQ(text_of("find", {".", "-perm", "/222", "-newer", "/etc/passwd"}), Words{"/222"});
  EXPECT_EQ(text_of("xmllint", {"--xpath", "/root/a", "f"}), Words{"/root/a"});
  EXPECT_EQ(text_of("echo", {"/etc", "x"}), (Words{"/etc", "x"}));
}

TEST(TextArguments, KnowOnlySystemPrograms) {
  EXPECT_EQ(text_of("/usr/bin/grep", {"/etc", "src"}), Words{"/etc"});
  EXPECT_EQ(text_of("./grep", {"/etc", "src"}), Words{});
  EXPECT_EQ(text_of("/work/echo", {"/etc"}), Words{});
  EXPECT_EQ(text_of("cat", {"/etc"}), Words{});
}

TEST(RemotePath, IsNeitherAnOptionNorALocalPath) {
  EXPECT_TRUE(names_remote_path("scp", "host:/etc/motd"));
  EXPECT_TRUE(names_remote_path("git", "HEAD:/x"));
  EXPECT_FALSE(names_remote_path("scp", "./a:/etc/motd"));
  EXPECT_FALSE(names_remote_path("docker", "-v=a:/etc"));
  EXPECT_FALSE(names_remote_path("cat", "a:/etc"));
}

}  // namespace
}  // namespace bawn
