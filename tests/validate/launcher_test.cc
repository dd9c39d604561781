#include "validate/program/launcher.h"

#include <gtest/gtest.h>

#include "validate/program/option_reader.h"
#include "validate/shell/shell_words.h"

namespace bawn {
namespace {

using Words = std::vector<std::string>;

const std::string kUnknownWord(1, kUnknownByte);

Launch launch(std::string_view name, const Words& args) {
  const auto out = read_launch(name, args);
  EXPECT_TRUE(out.has_value()) << name;
  return out.value_or(Launch{});
}

Words only_command(std::string_view name, const Words& args) {
  const Launch out = launch(name, args);
  EXPECT_EQ(out.uncertain, "");
  return out.commands.size() == 1 ? out.commands[0].words : Words{};
}

ReadOptions read(std::string_view name, const Words& args) {
  return read_options(*find_program(name), args);
}

TEST(OptionReader, ReadsClustersValuesAndAbbreviations) {
  const ReadOptions options = read("xargs", {"-0tn3", "-n", "4", "-i%", "-i", "--nul",
                                             "--max-args=1", "--max-pr", "2", "ls", "-t"});
  EXPECT_EQ(options.uncertain, "");
  EXPECT_EQ(options.next, 9U);
  EXPECT_EQ(options.seen.size(), 9U);
  EXPECT_EQ(*options.value_of(Role::replace), "");
  EXPECT_EQ(*options.value_of(Role::plain), "2");
  EXPECT_TRUE(options.has("--null"));
  EXPECT_FALSE(options.has(Role::split));
}

TEST(OptionReader, IsUncertainAboutUnknownOptionsOnly) {
  EXPECT_EQ(read("timeout", {"-z", "ls"}).uncertain, "-z");
  EXPECT_EQ(read("timeout", {"--y", "ls"}).uncertain, "--y");
  EXPECT_EQ(read("env", {"--de", "ls"}).uncertain, "--de");
  EXPECT_EQ(read("timeout", {"--y=1", "ls"}).uncertain, "");
  EXPECT_EQ(read("timeout", {"-:", "ls"}).uncertain, "-:");
  EXPECT_EQ(read("strace", {"-E", "A=1", "ls"}).uncertain, "-E");
}

TEST(OptionReader, StopsAtTwoDashesAndAtALoneDash) {
  EXPECT_EQ(read("timeout", {"-v", "--", "-b"}).next, 2U);
  EXPECT_EQ(read("timeout", {"-v", "-", "-b"}).next, 1U);
}

TEST(Launcher, SkipsOptionsAndOperands) {
  EXPECT_EQ(only_command("timeout", {"-k", "5", "10", "ls", "-l"}), (Words{"ls", "-l"}));
  EXPECT_EQ(only_command("/usr/bin/nice", {"-n5", "ls"}), (Words{"ls"}));
  EXPECT_EQ(only_command("flock", {"-w", "3", "lock", "--", "ls"}), (Words{"ls"}));
  EXPECT_EQ(only_command("setarch", {"x86_64", "-R", "ls"}), (Words{"ls"}));
  EXPECT_EQ(only_command("setarch", {"-R", "ls"}), (Words{"ls"}));
}

TEST(Launcher, KnowsNothingAboutOtherPrograms) {
  EXPECT_FALSE(read_launch("ls", Words{"env", "bash"}));
}

TEST(Launcher, ReadsEnvWithItsAssignmentsAndItsText) {
  const Launch out = launch("env", {"-i", "A=1", "B=2", "ls"});
  EXPECT_EQ(out.assignments, (Words{"A=1", "B=2"}));
  EXPECT_EQ(out.commands.at(0).words, (Words{"ls"}));
  EXPECT_EQ(only_command("env", {"-S", "-i A=1 'py thon' -u", "x"}), (Words{"py thon", "-u", "x"}));
  EXPECT_NE(launch("env", {"-S", "-S -S"}).commands.size(), 1U);
}

TEST(Launcher, ReplacesWhatXargsAndFindReplace) {
  EXPECT_EQ(only_command("xargs", {"-I", "%", "cp", "%", "a%b"}),
            (Words{"cp", kUnknownWord, "a" + kUnknownWord + "b"}));
  EXPECT_EQ(only_command("find", {".", "-exec", "cat", "{}", "+"}), (Words{"cat", kUnknownWord}));
  EXPECT_EQ(launch("find", {"-exec", "a", ";", "-ok", "b", ";"}).commands.size(), 2U);
  EXPECT_TRUE(launch("find", {"-exec"}).commands.empty());
}

TEST(Launcher, IsUncertainWhereNamesMeanSomethingElse) {
  EXPECT_NE(launch("chroot", {"/srv", "ls"}).uncertain, "");
  EXPECT_NE(launch("unshare", {"-R", "/srv", "ls"}).uncertain, "");
  EXPECT_NE(launch("ld-linux-x86-64.so.2", {"ls"}).uncertain, "");
  EXPECT_EQ(launch("ld-linux-x86-64.so.2", {"/usr/bin/ls"}).uncertain, "");
}

}  // namespace
}  // namespace bawn
