#include "handoff/git_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace bawn::handoff {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct GitKeyCase {
  std::string_view key;
  std::string_view told;
  std::string_view quiet;
};

constexpr GitKeyCase kGitKeyCases[] = {
#define BAWN_GIT_KEY(key, value, effect, told, quiet) {key, told, quiet},
#include "handoff/git_key.inc"
};

std::vector<GitKeyChange> changes(std::string_view before, std::string_view after) {
  return changed_git_keys(read_git_config(before), read_git_config(after));
}

TEST(GitKey, OfEachRowIsTold) {
  for (const GitKeyCase& row : kGitKeyCases) {
    const GitConfig config = read_git_config(row.told);
    EXPECT_TRUE(config.complete) << row.told;
    ASSERT_THAT(config.settings, SizeIs(1)) << row.told;
    const GitKey* key = find_git_key(config.settings[0]);
    ASSERT_NE(key, nullptr) << row.told;
    EXPECT_EQ(std::string_view(key->key), row.key);
    EXPECT_THAT(changes("", row.told), SizeIs(1)) << row.told;
  }
}

TEST(GitKey, LikeOneOfARowIsQuiet) {
  for (const GitKeyCase& row : kGitKeyCases) {
    const GitConfig config = read_git_config(row.quiet);
    EXPECT_TRUE(config.complete) << row.quiet;
    EXPECT_THAT(config.settings, SizeIs(1)) << row.quiet;
    EXPECT_THAT(changes("", row.quiet), IsEmpty()) << row.quiet;
  }
}

TEST(GitKey, ThatWasThereBeforeIsQuiet) {
  for (const GitKeyCase& row : kGitKeyCases) {
    const std::string more = std::string(row.told) + "\n[user]\n\tname = Me\n";
    EXPECT_THAT(changes(row.told, more), IsEmpty()) << row.told;
    EXPECT_THAT(changes(row.told, ""), IsEmpty()) << row.told;
  }
}

TEST(GitKey, StandsInOneRow) {
  std::set<std::string_view> keys;
  for (const GitKey& row : git_keys()) EXPECT_TRUE(keys.insert(row.key).second) << row.key;
}

TEST(GitKey, WithAnotherValueHasChanged) {
  const auto found = changes("[core]\neditor=vi", "[core]\neditor=./x");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].key, "core.editor");
  EXPECT_FALSE(found[0].is_new);
  EXPECT_TRUE(changes("", "[core]\neditor=./x")[0].is_new);
}

TEST(GitKey, WithOneValueMoreHasChanged) {
  const auto found =
      changes("[credential]\nhelper=store", "[credential]\nhelper=store\nhelper=./x");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_FALSE(found[0].is_new);
}

TEST(GitKey, WithSeveralValuesIsToldOnce) {
  EXPECT_THAT(changes("", "[credential]\nhelper=a\nhelper=b"), SizeIs(1));
}

// An address can hold a password.
TEST(GitKey, IsShownWithoutAnAddress) {
  const auto shown = [](std::string_view text) { return changes("", text)[0].key; };
  EXPECT_EQ(shown("[url \"https://me:secret@a.b/\"]\ninsteadOf=x"), "url.*.insteadof");
  EXPECT_EQ(shown("[credential \"me@host\"]\nhelper=x"), "credential.*.helper");
  EXPECT_EQ(shown("[filter \"lfs\"]\nclean=x"), "filter.lfs.clean");
}

// The name in such a section can be a token that stands for an address.
TEST(GitKey, OfSectionsOfAddressesIsShownWithoutItsName) {
  const auto shown = [](std::string_view text) { return changes("", text)[0].key; };
  EXPECT_EQ(shown("[url \"secret\"]\ninsteadOf=x"), "url.*.insteadof");
  EXPECT_EQ(shown("[credential \"secret\"]\nhelper=x"), "credential.*.helper");
  EXPECT_EQ(shown("[http \"secret\"]\nextraHeader=x"), "http.*.extraheader");
  EXPECT_EQ(shown("[http]\nextraHeader=x"), "http.extraheader");
}

TEST(GitKey, OfAnAliasCountsIfItsWordsRunACommand) {
  const auto alias = [](std::string_view words) {
    return changes("", concat("[alias]\na = ", words)).size();
  };
  for (const char* told :
       {"!id", "-c core.pager=./x log", "--exec-path=x log", "difftool -x ./x", "difftool -y -x./x",
        "difftool --extc=./x", "fetch --upload-pack ./x", "rebase -x id", "grep -O./x a",
        "bisect run x", "submodule foreach x", "filter-branch", "\\\"difftool\\\" '-x' id"})
    EXPECT_EQ(alias(told), 1U) << told;
  for (const char* quiet : {"status", "push -u origin HEAD", "switch -c", "clean -dxf -x",
                            "cherry-pick -x", "--no-pager log --all", "submodule update --init",
                            "log --oneline --exclude=x -O", "difftool", "bisect"})
    EXPECT_EQ(alias(quiet), 0U) << quiet;
}

TEST(GitKey, OfARemoteWithAnotherAddressIsTold) {
  const auto found = changes("[remote \"o\"]\nurl=a", "[remote \"o\"]\nurl=b");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].key, "remote.o.url");
  EXPECT_FALSE(found[0].is_new);
  EXPECT_THAT(changes("[remote \"o\"]\nurl=a", "[remote \"o\"]\nurl=fd::1"), SizeIs(1));
  EXPECT_THAT(changes("[remote \"o\"]\nurl=a", "[remote \"o\"]\nurl=a\n[remote \"p\"]\nurl=b"),
              IsEmpty());
}

TEST(GitKey, OfARemoteCountsOnlyWithAHelper) {
  for (const char* quiet : {"https://a.b/c", "git@a.b:c", "../x", "/srv/a::b", "[::1]:x", "C:/x"})
    EXPECT_THAT(changes("", std::string("[remote \"o\"]\nurl=") + quiet), IsEmpty()) << quiet;
  EXPECT_THAT(changes("", "[remote \"o\"]\nurl=fd::17"), SizeIs(1));
}

}  // namespace
}  // namespace bawn::handoff
