#include "backend/macos/sbpl.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

SandboxProfile profile(std::string text, std::vector<SandboxProfileParameter> parameters = {}) {
  return {std::move(text), std::move(parameters)};
}

TEST(SbplReader, ReadsListsTextsRegexesAndComments) {
  const SbplText text =
      parse_sbpl("(version 1) ; (not this\n(allow a* (regex #\"^/x$\") (literal \"/;\"))");
  ASSERT_EQ(text.error, "");
  ASSERT_EQ(text.forms.size(), 2U);
  const SbplNode& rule = text.forms[1];
  ASSERT_EQ(rule.items.size(), 4U);
  EXPECT_EQ(rule.head(), "allow");
  EXPECT_EQ(rule.items[2].items[1].kind, SbplNode::Kind::regex);
  EXPECT_EQ(rule.items[3].items[1].value, "/;");
}

TEST(SbplReader, RefusesWhatIsNotBalancedOrNotPlain) {
  EXPECT_NE(parse_sbpl("(allow a").error, "");
  EXPECT_NE(parse_sbpl("(allow a))").error, "");
  EXPECT_NE(parse_sbpl("(allow (literal \"/a))").error, "");
  EXPECT_NE(parse_sbpl("(allow (literal \"/a\\\"b\"))").error, "");
  EXPECT_NE(parse_sbpl("word").error, "");
}

TEST(SbplVerdict, TheLastRuleThatMatchesDecides) {
  const SandboxProfile open = profile(
      "(version 1)(deny default)(allow file-read* (subpath (param \"A\")))(deny file-read-data "
      "(literal \"/w/x\"))",
      {{"A", "/w"}});
  EXPECT_TRUE(allows(open, "file-read-data", "/w"));
  EXPECT_TRUE(allows(open, "file-read-data", "/w/y"));
  EXPECT_FALSE(allows(open, "file-read-data", "/w/x"));
  EXPECT_TRUE(allows(open, "file-read-metadata", "/w/x"));
  EXPECT_FALSE(allows(open, "file-read-data", "/w-evil"));
  EXPECT_FALSE(allows(open, "file-write-data", "/w/y"));
}

TEST(SbplVerdict, AParameterThatIsMissingMatchesNothing) {
  EXPECT_FALSE(allows(profile("(deny default)(allow file-read* (subpath (param \"A\")))"),
                      "file-read-data", "/"));
}

TEST(SbplVerdict, KnowsSocketsAndServices) {
  const SandboxProfile some = profile(
      "(deny default)(allow network-outbound (remote unix-socket (literal \"/s\")) (remote ip "
      "\"localhost:*\"))"
      "(allow mach-lookup (global-name \"a\"))");
  EXPECT_TRUE(allows(some, "network-outbound", "/s"));
  EXPECT_FALSE(allows(some, "network-outbound", "/t"));
  EXPECT_TRUE(allows_filter(some, "network-outbound", "remote ip", "localhost:*"));
  EXPECT_FALSE(allows_filter(some, "network-outbound", "remote ip", "*:*"));
  EXPECT_TRUE(allows_filter(some, "mach-lookup", "global-name", "a"));
  EXPECT_FALSE(allows_filter(some, "mach-lookup", "global-name", "b"));
}

}  // namespace
}  // namespace bawn
