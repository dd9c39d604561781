#include "json/document.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/text.h"

namespace bawn::json {
namespace {

std::string only_problem(const Document& document) {
  EXPECT_EQ(document.problems().size(), 1U);
  return document.problems().empty() ? "" : to_string(document.problems().front());
}

TEST(Document, LocatesEveryValue) {
  const std::string text = "{ // note\n  \"a\": [1, /* x */ \"two\"],\n  \"b\": -3.5 }";
  const Document document = Document::parse(text, Comments::allowed);
  ASSERT_TRUE(document.problems().empty());
  const Node* a = document.root().find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(document.position(a->offset), (std::pair<std::size_t, std::size_t>{2, 8}));
  EXPECT_EQ(text.substr(a->items[0].offset, 1), "1");
  EXPECT_EQ(text.substr(a->items[1].offset, 5), "\"two\"");
  EXPECT_EQ(text.substr(document.root().find("b")->offset, 4), "-3.5");
}

TEST(Document, LocatesAValueAfterANumberAndAComment) {
  const std::string text = "[1/* , */,2]";
  const Document document = Document::parse(text, Comments::allowed);
  ASSERT_TRUE(document.problems().empty());
  EXPECT_EQ(text.at(document.root().items[1].offset), '2');
}

TEST(Document, RefusesCommentsWhereTheyAreNotAllowed) {
  EXPECT_FALSE(Document::parse("{} // x", Comments::refused).problems().empty());
  EXPECT_TRUE(Document::parse("{} // x", Comments::allowed).problems().empty());
}

TEST(Document, ReportsADuplicateKeyWhereItStands) {
  EXPECT_EQ(only_problem(Document::parse("{\"a\":1,\n \"a\":2}", Comments::refused)),
            "2:2: a: the key 'a' appears twice (keep one of them)");
}

TEST(Document, NamesADuplicateKeyByItsWholePathAndStaysReadable) {
  const Document document = Document::parse(R"({"l": [{}, {"a": 1, "a": 2}]})", Comments::refused);
  EXPECT_TRUE(document.complete());
  ASSERT_EQ(document.problems().size(), 1U);
  EXPECT_EQ(document.problems()[0].where, "l[1].a");
  EXPECT_FALSE(Document::parse("{", Comments::refused).complete());
}

TEST(Document, LocatesAValueAfterANumberWithAnIdleSign) {
  const std::string text = "[-0, 2]";
  EXPECT_EQ(text.at(Document::parse(text, Comments::refused).root().items.at(1).offset), '2');
}

TEST(Document, ReportsSyntaxWithItsPosition) {
  const Document document = Document::parse("{\"a\":\n tru}", Comments::refused);
  ASSERT_EQ(document.problems().size(), 1U);
  EXPECT_EQ(document.problems()[0].line, 2U);
  EXPECT_EQ(document.problems()[0].message.find("json.exception"), std::string::npos);
}

TEST(Document, DoesNotRepeatTheTextItStumbledOn) {
  const Document document = Document::parse("{\"a\": \"hunter22\xc2\x9b\xff", Comments::refused);
  ASSERT_EQ(document.problems().size(), 1U);
  EXPECT_FALSE(document.problems()[0].message.empty());
  EXPECT_EQ(document.problems()[0].message.find("hunter"), std::string::npos);
  for (const char c : document.problems()[0].message) EXPECT_TRUE(c >= ' ' && c < 0x7f);
}

TEST(Document, RefusesTrailingTextBadUtf8EmptyTextAndDeepNesting) {
  EXPECT_FALSE(Document::parse("{} {}", Comments::refused).problems().empty());
  EXPECT_FALSE(Document::parse("\"\xff\"", Comments::refused).problems().empty());
  EXPECT_FALSE(Document::parse("", Comments::refused).problems().empty());
  const std::string deep = std::string(kMaxDepth, '[') + std::string(kMaxDepth, ']');
  EXPECT_TRUE(Document::parse(deep, Comments::refused).problems().empty());
  EXPECT_FALSE(Document::parse("[" + deep + "]", Comments::refused).problems().empty());
}

TEST(Document, BoundsTheKeysOfOneObject) {
  std::string text = R"({"k0": 0)";
  for (std::size_t i = 1; i < kMaxMembers; ++i) text += ", \"k" + std::to_string(i) + "\": 0";
  EXPECT_TRUE(Document::parse(text + "}", Comments::refused).problems().empty());
  EXPECT_EQ(Document::parse(text + R"(, "one more": 0})", Comments::refused).problems().size(), 1U);
}

TEST(Document, KeepsNumbersThatDoNotFitAsText) {
  const Document document = Document::parse("[18446744073709551615, 1.5]", Comments::refused);
  EXPECT_FALSE(document.root().items[0].integer.has_value());
  EXPECT_EQ(document.root().items[0].text, "18446744073709551615");
  EXPECT_EQ(document.root().items[1].text, "1.5");
}

TEST(Reader, ReportsUnknownKeysWithTheNearestKnownOne) {
  Document document = Document::parse(R"({"nmae": 1})", Comments::refused);
  Reader reader(document, document.root(), "top");
  EXPECT_FALSE(reader.string("name").has_value());
  reader.finish();
  EXPECT_EQ(only_problem(document), "1:2: top.nmae: unknown key 'nmae' (did you mean 'name'?)");
}

TEST(Reader, QuotesAKeyThatATerminalWouldObey) {
  Document document = Document::parse(R"({"\u001b[2J": 1})", Comments::refused);
  Reader(document, document.root(), "top").finish();
  ASSERT_EQ(document.problems().size(), 1U);
  EXPECT_EQ(document.problems()[0].where, "top.'\\x1b[2J'");
}

TEST(Reader, ReportsWrongTypesAndRanges) {
  Document document = Document::parse(R"({"s": 1, "n": 11, "l": ["a", 2]})", Comments::refused);
  Reader reader(document, document.root(), "");
  EXPECT_FALSE(reader.string("s").has_value());
  EXPECT_FALSE(reader.integer("n", 0, 10).has_value());
  EXPECT_FALSE(reader.strings("l").has_value());
  reader.finish();
  ASSERT_EQ(document.problems().size(), 3U);
  EXPECT_EQ(to_string(document.problems()[0]), "1:7: s: expected a string, found a number");
  EXPECT_EQ(to_string(document.problems()[1]),
            "1:15: n: expected a whole number from 0 to 10, found 11");
  EXPECT_EQ(document.problems()[2].where, "l[1]");
}

// `{"k...k": [{"a":1,"a":1}, {"a":1,"a":1}, ...]}`: each problem once named the whole long key and
// counted the lines before it again.
TEST(Document, AnswersADocumentFullOfProblemsShortlyAndSoon) {
  std::string text = concat(R"({")", std::string(100'000, 'k'), R"(": [)");
  while (text.size() < 250'000) text += "{\"a\":1,\"a\":1},\n";
  text += "1]}";
  const auto begun = std::chrono::steady_clock::now();
  const std::vector<Problem> problems = Document::parse(text, Comments::refused).listed_problems();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(2));
  ASSERT_EQ(problems.size(), kMaxListedProblems + 1);
  EXPECT_EQ(problems[1].line, 2U);
  EXPECT_EQ(problems[1].column, 8U);
  EXPECT_EQ(problems.back().message, "9936 more problems from here on");
  for (const Problem& problem : problems) EXPECT_LT(to_string(problem).size(), 1000U);
}

TEST(Document, RefusesANumberThatNoMachineHoldsWithoutRepeatingIt) {
  EXPECT_EQ(only_problem(Document::parse("[1e400]", Comments::refused)),
            "1:6: the number is too large");
}

TEST(Reader, NamesTheKeysWhereNoneIsNear) {
  Document document = Document::parse(R"({"network": 1})", Comments::refused);
  Reader reader(document, document.root(), "");
  static_cast<void>(reader.take("tier"));
  static_cast<void>(reader.take("egress"));
  reader.finish();
  EXPECT_EQ(only_problem(document),
            "1:2: network: unknown key 'network' (expected tier or egress)");
}

TEST(Document, ListsProblemsInTheOrderOfTheText) {
  Document document =
      Document::parse("{\"b\": {\"y\": 1, \"x\": 1, \"y\": 1},\n \"b\": 1}", Comments::refused);
  document.report(1, "b", "first");
  const std::vector<Problem> problems = document.listed_problems();
  ASSERT_EQ(problems.size(), 3U);
  EXPECT_EQ(problems[0].message, "first");
  EXPECT_EQ(problems[1].where, "b.y");
  EXPECT_EQ(problems[2].where, "b");
  EXPECT_EQ(problems[2].line, 2U);
}

TEST(Document, PlacesAByteOnItsLine) {
  const Document document = Document::parse("\n\nnull\n", Comments::refused);
  using LineAndColumn = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(document.position(0), (LineAndColumn{1, 1}));
  EXPECT_EQ(document.position(1), (LineAndColumn{2, 1}));
  EXPECT_EQ(document.position(5), (LineAndColumn{3, 4}));
  EXPECT_EQ(document.position(6), (LineAndColumn{3, 5}));
  EXPECT_EQ(document.position(99), (LineAndColumn{4, 1}));
}

}  // namespace
}  // namespace bawn::json
