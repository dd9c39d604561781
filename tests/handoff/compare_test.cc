#include "handoff/compare.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"

namespace bawn::handoff {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr HandoffName kFile{.pattern = "f", .obeyed_by = "a", .effect = "runs"};
constexpr HandoffName kConfig{
    .pattern = "c", .reading = Reading::git_config, .obeyed_by = "git", .effect = "x"};
constexpr HandoffName kScripts{
    .pattern = "p", .reading = Reading::scripts, .obeyed_by = "npm", .effect = "scripts"};

SeenFile text(const HandoffName& row, std::string content, std::int64_t changed = 1) {
  return {.path = "x",
          .row = &row,
          .state = {.changed_ns = changed},
          .content = {FileContent::Kind::text, std::move(content)}};
}
SeenFile unknown(std::int64_t changed) {
  return {.path = "x", .row = &kFile, .state = {.changed_ns = changed}};
}

std::vector<std::string> told(std::vector<SeenFile> before, std::vector<SeenFile> after) {
  std::vector<std::string> out;
  for (const Handoff& each : compare({.files = std::move(before)}, {.files = std::move(after)}))
    out.push_back(concat(to_string(each.change), " ", each.path, " ", each.key));
  return out;
}

TEST(Comparison, TellsANewFileAndAChangedOne) {
  EXPECT_THAT(told({}, {text(kFile, "1")}), ElementsAre("new x "));
  EXPECT_THAT(told({text(kFile, "1")}, {text(kFile, "2", 2)}), ElementsAre("changed x "));
}

TEST(Comparison, IsQuietAboutTheSameContent) {
  EXPECT_THAT(told({text(kFile, "1")}, {text(kFile, "1", 2)}), IsEmpty());
  EXPECT_THAT(told({text(kFile, "1")}, {}), IsEmpty()) << "left out, or removed";
}

TEST(Comparison, TellsAFileThatBecameALink) {
  SeenFile link = text(kFile, "1", 2);
  link.content.kind = FileContent::Kind::link;
  EXPECT_THAT(told({text(kFile, "1")}, {link}), ElementsAre("changed x "));
}

TEST(Comparison, GoesByTheStateIfTheContentIsNotKnown) {
  EXPECT_THAT(told({unknown(1)}, {unknown(2)}), ElementsAre("changed x "));
  EXPECT_THAT(told({unknown(1)}, {unknown(1)}), IsEmpty());
  EXPECT_THAT(told({text(kFile, "1")}, {unknown(2)}), ElementsAre("changed x "));
  EXPECT_THAT(told({}, {unknown(2)}), ElementsAre("new x "));
}

TEST(Comparison, TellsTheKeysOfAConfiguration) {
  EXPECT_THAT(told({text(kConfig, "[core]\neditor=a\npager=p")},
                   {text(kConfig, "[core]\neditor=b\npager=p\n[alias]\nx=!id")}),
              ElementsAre("new x alias.x", "changed x core.editor"));
  EXPECT_THAT(told({text(kConfig, "[core]")}, {text(kConfig, "[user]\nname=x")}), IsEmpty());
  EXPECT_THAT(told({}, {text(kConfig, "[user]\nname=x")}), IsEmpty());
}

TEST(Comparison, TellsAChangedConfigurationThatCannotBeRead) {
  EXPECT_THAT(told({text(kConfig, "[core]")}, {text(kConfig, "[core")}), ElementsAre("changed x "));
  EXPECT_THAT(told({text(kConfig, "[core")}, {text(kConfig, "[core\n")}),
              ElementsAre("changed x "));
  EXPECT_THAT(told({text(kConfig, "[core")}, {text(kConfig, "[core]")}), IsEmpty());
  SeenFile link = text(kConfig, "/etc/gitconfig");
  link.content.kind = FileContent::Kind::link;
  EXPECT_THAT(told({text(kConfig, "[core]")}, {link}), ElementsAre("changed x "));
}

TEST(Comparison, TellsScriptsAndNotTheRest) {
  EXPECT_THAT(told({text(kScripts, "{}")}, {text(kScripts, R"({"scripts": {"a": "b"}})")}),
              ElementsAre("changed x "));
  EXPECT_THAT(told({text(kScripts, "{}")}, {text(kScripts, R"({"version": "2"})")}), IsEmpty());
}

TEST(Comparison, PassesOnWhatWasNotLookedAt) {
  const auto found = compare({}, {.unseen = {{"x", "too many"}}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].change, HandoffChange::not_looked_at);
  EXPECT_EQ(found[0].effect, "too many");
}

}  // namespace
}  // namespace bawn::handoff
