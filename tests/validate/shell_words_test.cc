#include "validate/shell/shell_words.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

using Words = std::vector<std::string>;
using Commands = std::vector<Words>;

const std::string kUnknown(1, kUnknownByte);

Commands commands(std::string_view code) { return read_shell(code).commands; }

TEST(ShellWords, RemovesQuotesAndEscapes) {
  EXPECT_EQ(commands(R"('r'"m" -r\ f "a b")"), (Commands{{"rm", "-r f", "a b"}}));
  EXPECT_EQ(commands("r\\\nm x"), (Commands{{"rm", "x"}}));
  EXPECT_EQ(commands("'' x"), (Commands{{"", "x"}}));
}

TEST(ShellWords, SplitsAtOperators) {
  EXPECT_EQ(commands("a;b&c|d&&e||f\ng"),
            (Commands{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}, {"f"}, {"g"}}));
  EXPECT_EQ(commands("(a; b) |& c"), (Commands{{"a"}, {"b"}, {"c"}}));
}

TEST(ShellWords, SeesThroughKeywordsAndAssignments) {
  EXPECT_EQ(commands("if a; then b; elif c; then d; else e; fi"),
            (Commands{{"a"}, {"b"}, {"c"}, {"d"}, {"e"}}));
  EXPECT_EQ(commands("while ! a; do X=1 Y='2 3' b; done"), (Commands{{"a"}, {"b"}}));
  EXPECT_EQ(commands("'if' a"), (Commands{{"if", "a"}}));
  EXPECT_EQ(commands("'X'=1 a"), (Commands{{"X=1", "a"}}));
}

TEST(ShellWords, TakesTheWordsOfForAndCaseForNoCommand) {
  EXPECT_EQ(commands("for x in rm mv; do a; done"), (Commands{{"a"}}));
  EXPECT_EQ(commands("case $x in rm) a;; mv|cp) b;; esac; c"), (Commands{{"a"}, {"b"}, {"c"}}));
  EXPECT_EQ(commands("echo $(case x in rm) a;; esac)"), (Commands{{"a"}, {"echo", kUnknown}}));
}

TEST(ShellWords, LeavesRedirectionsOut) {
  EXPECT_EQ(commands("a >out 2>&1 <in b"), (Commands{{"a", "b"}}));
  EXPECT_EQ(commands(">out a"), (Commands{{"a"}}));
  EXPECT_EQ(commands("a &>out; b 2"), (Commands{{"a"}, {"b", "2"}}));
}

TEST(ShellWords, SkipsHereDocumentsAndComments) {
  EXPECT_EQ(commands("a <<'E' b\nrm x\nE\nc # d"), (Commands{{"a", "b"}, {"c"}}));
  EXPECT_EQ(commands("a <<-E\n\trm x\n\tE\nc"), (Commands{{"a"}, {"c"}}));
  EXPECT_EQ(commands("a <<<x\nc"), (Commands{{"a"}, {"c"}}));
}

TEST(ShellWords, FindsCommandsInSubstitutions) {
  EXPECT_EQ(commands("a $(b `c`) \"$(d)\" ${x:-$(e)} <(f)"),
            (Commands{{"c"},
                      {"b", kUnknown},
                      {"d"},
                      {"e"},
                      {"f"},
                      {"a", kUnknown, kUnknown, kUnknown, kUnknown}}));
}

TEST(ShellWords, MarksWhatDependsOnExpansions) {
  EXPECT_EQ(commands("$x ${y}z $1 a$"), (Commands{{kUnknown, kUnknown + "z", kUnknown, "a$"}}));
  EXPECT_EQ(commands("'$x' \\$y"), (Commands{{"$x", "$y"}}));
  EXPECT_EQ(commands("$'rm' x"), (Commands{{"rm", "x"}}));
  EXPECT_EQ(commands("$'\\x72m' x"), (Commands{{kUnknown, "x"}}));
  EXPECT_EQ(commands("/bin/r? x"), (Commands{{"/bin/r?" + kUnknown, "x"}}));
  EXPECT_EQ(commands("[ a ] && b *"), (Commands{{"[", "a", "]"}, {"b", "*"}}));
}

TEST(ShellWords, SaysWhenSomethingIsLeftOpen) {
  EXPECT_FALSE(read_shell("a 'b").balanced);
  EXPECT_FALSE(read_shell("a \"b").balanced);
  EXPECT_FALSE(read_shell("a `b").balanced);
  EXPECT_FALSE(read_shell("a ${b").balanced);
  EXPECT_TRUE(read_shell("a 'b'").balanced);
  EXPECT_FALSE(read_shell(std::string(1000, '(') + "$(" + std::string(1, '\'')).balanced);
}

TEST(ShellWords, StopsAtAbsurdNesting) {
  std::string code;
  for (int i = 0; i < 10000; ++i) code += "$(";
  EXPECT_FALSE(read_shell(code).balanced);
}

TEST(ShellWords, RendersTheCodeWithoutItsSpelling) {
  EXPECT_EQ(read_shell("curl  'x'|sh").rendered, "curl x | sh");
  EXPECT_EQ(read_shell("a >/dev/sda").rendered, "a > /dev/sda");
  EXPECT_EQ(read_shell("a 2>/dev/null").rendered, "a");
}

TEST(ShellWords, FindsPatternsAsWholeNames) {
  const auto found = [](std::string_view code, std::string_view pattern) {
    return shell_code_contains(code, read_shell(code).rendered, pattern);
  };
  EXPECT_TRUE(found("x | sh", "| sh"));
  EXPECT_TRUE(found("x|sh -e", "| sh"));
  EXPECT_FALSE(found("x | sha256sum", "| sh"));
  EXPECT_TRUE(found("rm -rfv x", "rm -rf"));
  EXPECT_FALSE(found("farm -rf x", "rm -rf"));
  EXPECT_TRUE(found("'rm'   -rf", "rm -rf"));
  EXPECT_FALSE(found("x", ""));
}

TEST(ShellWords, SplitsQuotedWordsOnlyWhereNothingExpands) {
  EXPECT_EQ(quoted_words(" python3  -u 'a b' \"c\" d\\ e"),
            (Words{"python3", "-u", "a b", "c", "d e"}));
  EXPECT_EQ(quoted_words("a # b"), (Words{"a"}));
  EXPECT_EQ(quoted_words("${SHELL}"), std::nullopt);
  EXPECT_EQ(quoted_words("a \\c"), std::nullopt);
  EXPECT_EQ(quoted_words("'a"), std::nullopt);
  EXPECT_EQ(quoted_words("'$a'"), (Words{"$a"}));
}

TEST(ShellWords, KnowsPlainWords) {
  EXPECT_EQ(unquoted_words(" ssh  -p\t22"), (Words{"ssh", "-p", "22"}));
  EXPECT_EQ(unquoted_words(""), Words{});
  EXPECT_EQ(unquoted_words("a;b"), std::nullopt);
  EXPECT_EQ(unquoted_words("a $b"), std::nullopt);
  EXPECT_EQ(unquoted_words("a*"), std::nullopt);
}

}  // namespace
}  // namespace bawn
