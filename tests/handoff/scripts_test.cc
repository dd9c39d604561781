#include "handoff/scripts.h"

#include <gtest/gtest.h>

#include <string>

namespace bawn::handoff {
namespace {

TEST(Scripts, DifferIfAMemberThatRunsSomethingDoes) {
  const char* before = R"({"name": "a", "version": "1", "scripts": {"test": "x"}})";
  EXPECT_TRUE(scripts_differ(before, R"({"scripts": {"test": "y"}})"));
  EXPECT_TRUE(scripts_differ(before, R"({"scripts": {"test": "x", "postinstall": "y"}})"));
  EXPECT_TRUE(scripts_differ(before, R"({"name": "a"})"));
  EXPECT_TRUE(scripts_differ("", before));
  EXPECT_TRUE(scripts_differ("{}", R"({"bin": "./x"})"));
  EXPECT_TRUE(scripts_differ("{}", R"({"husky": {"hooks": {"pre-commit": "x"}}})"));
}

TEST(Scripts, AreTheSameIfOnlyTheRestDiffers) {
  const char* before = R"({"name": "a", "version": "1", "scripts": {"test": "x", "b": "c"}})";
  EXPECT_FALSE(scripts_differ(
      before, R"({"version": "2", "dependencies": {"l": "1"}, "scripts": {"b":"c","test":"x"}})"));
  EXPECT_FALSE(scripts_differ("", R"({"name": "a"})"));
  EXPECT_FALSE(scripts_differ(before, before));
}

TEST(Scripts, DifferIfATextCannotBeRead) {
  EXPECT_TRUE(scripts_differ("{}", "{"));
  EXPECT_TRUE(scripts_differ("{", "{}"));
  EXPECT_TRUE(scripts_differ("{}", "[]"));
  EXPECT_TRUE(scripts_differ("{}", "{} // comment"));
  EXPECT_FALSE(scripts_differ("{", "{")) << "the same bytes";
}

// Comparing such a tree once needed a stack as deep.
TEST(Scripts, AreComparedToABoundedDepth) {
  const std::string deep(100'000, '[');
  const std::string end(100'000, ']');
  EXPECT_FALSE(scripts_differ(R"({"scripts": )" + deep + end + "}",
                              R"({"scripts": )" + deep + end + R"(, "name": "b"})"));
}

}  // namespace
}  // namespace bawn::handoff
