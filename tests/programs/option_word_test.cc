#include "programs/option_word.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bawn {
namespace {

// "--to-command:3" for each option that was read: its full name and the length of its value.
std::vector<std::string> read(std::string_view program, std::string_view word) {
  std::vector<std::string> out;
  OptionWord options(*find_program(program), word);
  for (ReadOption each; options.next(each);) {
    out.push_back(each.option == nullptr ? "?" + std::string(each.typed)
                                         : std::string(each.option->name()));
    if (each.attached) out.back() += "=" + std::string(each.value);
  }
  return out;
}

using Options = std::vector<std::string>;

TEST(OptionWord, ReadsAClusterUpToTheLetterThatTakesTheRest) {
  EXPECT_EQ(read("tar", "-xIzstd"), (Options{"?x", "-I=zstd"}));
  EXPECT_EQ(read("tar", "-xfI.tar"), (Options{"?x", "-f=I.tar"}));
  EXPECT_EQ(read("tar", "-xI"), (Options{"?x", "-I"}));
}

TEST(OptionWord, ReadsLongOptionsWholeAndAbbreviated) {
  EXPECT_EQ(read("tar", "--to-command=sh"), (Options{"--to-command=sh"}));
  EXPECT_EQ(read("tar", "--to-c"), (Options{"--to-command"}));
  EXPECT_EQ(read("tar", "--to-commands"), (Options{"?--to-commands"}));
  EXPECT_EQ(read("tar", "--checkpoint=1"), (Options{"--checkpoint=1"}));
  EXPECT_EQ(read("tar", "--checkpoint-"), (Options{"--checkpoint-action"}));
  EXPECT_EQ(read("tar", "--"), (Options{"?--"}));
}

TEST(OptionWord, TakesAnAmbiguousAbbreviationForTheMostHarmfulOption) {
  ReadOption out;
  ASSERT_TRUE(OptionWord(*find_program("curl"), "--prox").next(out));
  EXPECT_TRUE(out.abbreviated && out.ambiguous);
  EXPECT_EQ(out.option->role, Role::host);
}

TEST(OptionWord, ReadsOptionsOfSeveralLettersWithOneDash) {
  EXPECT_EQ(read("gcc", "-fplugin=x.so"), (Options{"-fplugin=x.so"}));
  EXPECT_EQ(read("gcc", "-Bdir"), (Options{"-B=dir"}));
  EXPECT_EQ(read("gcc", "-fPIC"), (Options{"?-fPIC"}));
  EXPECT_EQ(read("gcc", "-fplug=x"), (Options{"?-fplug=x"}));
  EXPECT_EQ(read("ld", "-plug"), (Options{"-plugin"}));
}

TEST(OptionWord, ReadsAFamilyByItsBeginning) {
  EXPECT_EQ(read("gcc", "-Wl,-z,now"), (Options{"-Wl,=-z,now"}));
  EXPECT_EQ(read("gcc", "-Wall"), (Options{"?-Wall"}));
}

TEST(OptionWord, LeavesTheRestOfAShellsWordToTheNextLetter) {
  EXPECT_EQ(read("sh", "-ceo"), (Options{"-c", "?e", "-o"}));
  EXPECT_EQ(read("bash", "+o"), (Options{"-o"}));
  EXPECT_EQ(read("bash", "script"), Options{});
}

TEST(OptionWord, IgnoresCaseWhereTheProgramDoes) {
  EXPECT_EQ(read("powershell", "-EncodedCommand"), (Options{"-encodedcommand"}));
  EXPECT_EQ(read("powershell", "-enc"), (Options{"-encodedcommand"}));
  EXPECT_EQ(read("powershell", "-Command=Get-Item"), (Options{"-command=Get-Item"}));
  EXPECT_EQ(read("cmd", "/C"), (Options{"/c"}));
}

TEST(OptionWord, ReadsAnOptionWithoutADashOnlyIfTheRowHasIt) {
  EXPECT_EQ(read("deno", "eval"), (Options{"eval"}));
  EXPECT_EQ(read("deno", "eval=1"), Options{});
  EXPECT_EQ(read("deno", "run"), Options{});
  EXPECT_EQ(read("deno", ""), Options{});
}

TEST(RunsCode, LooksAtTheValueWhereTheRowSaysSo) {
  const auto runs = [](std::string_view program, std::string_view word) {
    ReadOption out;
    OptionWord(*find_program(program), word).next(out);
    return out.option != nullptr && runs_code(*out.option, out.value);
  };
  EXPECT_TRUE(runs("ssh", "-oProxyCommand=x"));
  EXPECT_TRUE(runs("ssh", "-o \"ProxyCommand\" x"));
  EXPECT_FALSE(runs("ssh", "-oPort=22"));
  EXPECT_TRUE(runs("git", "--exec-path=x"));
  EXPECT_FALSE(runs("git", "--exec-path"));
  EXPECT_TRUE(runs("groff", "-U"));
  EXPECT_FALSE(runs("tar", "-f"));
}

}  // namespace
}  // namespace bawn
