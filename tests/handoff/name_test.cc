#include "handoff/name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/text.h"

namespace bawn::handoff {
namespace {

TEST(HandoffName, IsFoundByItsFirstPart) {
  const auto rows = rows_named(NameTable::work_tree, ".vscode");
  ASSERT_GE(rows.size(), 4U);
  for (const HandoffName& row : rows) EXPECT_EQ(part_of(row, 0), ".vscode");
  EXPECT_TRUE(rows_named(NameTable::work_tree, "main.c").empty());
  EXPECT_TRUE(rows_named(NameTable::work_tree, "").empty());
}

TEST(HandoffName, HasParts) {
  const HandoffName row{.pattern = "a/b/*"};
  EXPECT_EQ(part_of(row, 0), "a");
  EXPECT_EQ(part_of(row, 1), "b");
  EXPECT_EQ(part_of(row, 2), "*");
  EXPECT_EQ(part_of(row, 3), "");
}

TEST(HandoffName, MatchesPartByPart) {
  EXPECT_TRUE(part_matches("*", "pre-commit"));
  EXPECT_FALSE(part_matches("*", "pre-commit.sample"));
  EXPECT_TRUE(part_matches("python*", "python3.11"));
  EXPECT_TRUE(part_matches("python*", "python"));
  EXPECT_FALSE(part_matches("python*", "pytho"));
  EXPECT_FALSE(part_matches("Makefile", "makefile"));
}

TEST(HandoffName, SaysWhoObeysItAndWhatCanHappen) {
  std::set<std::string_view> patterns;
  for (const HandoffName& row : handoff_names(NameTable::work_tree)) {
    EXPECT_TRUE(patterns.insert(row.pattern).second) << row.pattern << " twice";
    EXPECT_STRNE(row.obeyed_by, "") << row.pattern;
    EXPECT_STRNE(row.effect, "") << row.pattern;
    EXPECT_EQ(part_of(row, 0).find('*'), std::string_view::npos) << row.pattern;
    for (const std::string_view part : split(row.pattern, '/'))
      EXPECT_FALSE(part.empty() || part == "." || part == "..") << row.pattern;
  }
}

}  // namespace
}  // namespace bawn::handoff
