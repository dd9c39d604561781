#include "plan/git/git_directories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text.h"
#include "validate/fake_lookup.h"

namespace bawn {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

GitDirectories found(const FakeLookup& lookup, const std::vector<std::string>& roots = {"/work"}) {
  return find_git_directories(roots, lookup);
}

std::vector<std::string> hooks(const GitDirectories& directories) {
  std::vector<std::string> paths;
  for (const Located& each : directories.hooks) paths.push_back(each.path);
  return paths;
}

TEST(GitDirectories, AreNoneWithoutARepository) {
  const GitDirectories none = found({{"/work/src/main.c", "file"}, {"/work/HEAD", "file"}});
  EXPECT_THAT(none.all, IsEmpty());
  EXPECT_THAT(none.hooks, IsEmpty());
}

TEST(GitDirectories, OfAWorkTree) {
  const GitDirectories one = found({{"/work/.git/hooks", "dir"}});
  EXPECT_THAT(one.all, ElementsAre("/work/.git"));
  EXPECT_THAT(hooks(one), ElementsAre("/work/.git/hooks"));
}

TEST(GitDirectories, NameHooksThatAreMissing) {
  const GitDirectories one = found({{"/work/.git/HEAD", "file"}});
  ASSERT_THAT(one.hooks, SizeIs(1));
  EXPECT_EQ(one.hooks[0].kind, FileKind::missing);
}

TEST(GitDirectories, OfABareRepository) {
  const GitDirectories bare = found({{"/work/HEAD", "file"}, {"/work/objects", "dir"}});
  EXPECT_THAT(bare.all, ElementsAre("/work"));
  EXPECT_THAT(hooks(bare), ElementsAre("/work/hooks"));
}

TEST(GitDirectories, OfALinkedWorktreeAreItsOwnAndTheCommonOne) {
  const FakeLookup lookup{{"/work/.git", "text:gitdir: /main/.git/worktrees/work\n"},
                          {"/main/.git/worktrees/work/commondir", "text:../..\n"},
                          {"/main/.git/hooks", "dir"}};
  const GitDirectories both = found(lookup);
  EXPECT_THAT(both.all, ElementsAre("/main/.git/worktrees/work", "/main/.git"));
  EXPECT_THAT(hooks(both), ElementsAre("/main/.git/hooks"));
}

TEST(GitDirectories, OfASubmoduleAreFoundFromItsWorkTree) {
  const FakeLookup lookup{{"/work/.git", "text:gitdir: ../top/.git/modules/work"},
                          {"/top/.git/modules/work/hooks", "dir"}};
  EXPECT_THAT(hooks(found(lookup)), ElementsAre("/top/.git/modules/work/hooks"));
}

TEST(GitDirectories, OfSubmodulesAreFoundFromTheRepositoryAtEveryDepth) {
  const FakeLookup lookup{{"/work/.git/hooks", "dir"},
                          {"/work/.git/modules/a/HEAD", "file"},
                          {"/work/.git/modules/a/objects", "dir"},
                          {"/work/.git/modules/a/modules/in/HEAD", "file"},
                          {"/work/.git/modules/a/modules/in/objects", "dir"},
                          {"/work/.git/modules/lib/b/HEAD", "file"},
                          {"/work/.git/modules/lib/b/objects", "dir"}};
  EXPECT_THAT(found(lookup).all,
              ElementsAre("/work/.git", "/work/.git/modules/a", "/work/.git/modules/a/modules/in",
                          "/work/.git/modules/lib/b"));
}

TEST(GitDirectories, AreBounded) {
  std::map<std::string, std::string> tree = {{"/work/.git", "dir"}};
  for (int i = 0; i < 100; ++i) tree[concat("/work/.git/worktrees/", i, "/HEAD")] = "file";
  const GitDirectories many = found(FakeLookup(tree));
  EXPECT_THAT(many.all, SizeIs(32));
  EXPECT_THAT(many.unsearched, testing::StartsWith("/work/.git/worktrees/"));
}

// 131,072 directories below .git/modules took 1.1 s.
TEST(GitDirectories, AreLookedForInABoundedNumberOfFiles) {
  std::map<std::string, std::string> tree = {{"/work/.git/hooks", "dir"}};
  for (int i = 0; i < 20; ++i) {
    for (int j = 0; j < 20; ++j) tree[concat("/work/.git/modules/", i, "/", j)] = "dir";
  }
  const GitDirectories many = found(FakeLookup(tree));
  EXPECT_THAT(many.all, ElementsAre("/work/.git"));
  EXPECT_THAT(many.unsearched, testing::StartsWith("/work/.git/modules/"));
  EXPECT_EQ(found({{"/work/.git/modules/a/b", "dir"}}).unsearched, "");
}

TEST(GitDirectories, ListTheFilesAndLinksThatNameThem) {
  EXPECT_THAT(found({{"/work/.git", "text:gitdir: g"}, {"/work/g", "dir"}}).names,
              ElementsAre("/work/.git"));
  EXPECT_THAT(found({{"/work/.git", "own link:g"}, {"/work/g", "dir"}}).names,
              ElementsAre("/work/.git"));
  EXPECT_THAT(found({{"/work/.git/hooks", "dir"}}).names, IsEmpty());
}

TEST(GitDirectories, OfAFileThatNamesItselfEnd) {
  const FakeLookup lookup{{"/work/.git/commondir", "text:."}};
  EXPECT_THAT(found(lookup).all, ElementsAre("/work/.git"));
}

TEST(GitDirectories, AreNotReadFromOtherText) {
  for (const char* text : {"text:", "text:gitdir: ", "text:/main/.git", "text:gitdir: \n/main"}) {
    const FakeLookup lookup{{"/work/.git", text}, {"/main/.git/hooks", "dir"}};
    EXPECT_THAT(found(lookup).all, IsEmpty()) << text;
  }
}

}  // namespace
}  // namespace bawn
