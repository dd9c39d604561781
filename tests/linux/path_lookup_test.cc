#include "linux/path_lookup.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/text.h"

namespace bawn {
namespace {

// /tmp may itself be reached through links; comparisons start from its real name.
class PathLookupTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/bawn-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = std::filesystem::canonical(pattern);
    std::filesystem::create_directories(root_ + "/a/b");
    std::ofstream(root_ + "/a/file") << "content";
    std::filesystem::create_symlink("b", root_ + "/a/inner");
    std::filesystem::create_symlink("../a/file", root_ + "/a/relative");
    std::filesystem::create_symlink("/etc", root_ + "/a/escape");
    std::filesystem::create_symlink("nowhere/at-all", root_ + "/a/dangling");
    std::filesystem::create_symlink("loop", root_ + "/a/loop");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  [[nodiscard]] Located locate(const std::string& below) const { return lookup_.locate(root_ + below); }

  std::string root_;
  FileSystemLookup lookup_;
};

TEST_F(PathLookupTest, FindsFilesAndDirectoriesUnderTheirRealNames) {
  EXPECT_EQ(locate("/a/file").path, root_ + "/a/file");
  EXPECT_EQ(locate("/a/file").kind, FileKind::regular);
  EXPECT_EQ(locate("/a/file").size, 7U);
  EXPECT_EQ(locate("//a/./b/../file").path, root_ + "/a/file");
  EXPECT_EQ(locate("/a/").kind, FileKind::directory);
  EXPECT_EQ(lookup_.locate("/").path, "/");
}

TEST_F(PathLookupTest, FollowsLinksToTheirTargets) {
  EXPECT_EQ(locate("/a/inner").path, root_ + "/a/b");
  EXPECT_EQ(locate("/a/relative").path, root_ + "/a/file");
  EXPECT_EQ(locate("/a/escape/passwd").path, "/etc/passwd");
  // ".." after a link goes up from where the link leads, not from where it stands.
  EXPECT_EQ(locate("/a/escape/..").path, "/");
}

TEST_F(PathLookupTest, TellsWhereSomethingMissingWouldBe) {
  EXPECT_EQ(locate("/a/new").path, root_ + "/a/new");
  EXPECT_EQ(locate("/a/new").kind, FileKind::missing);
  EXPECT_EQ(locate("/a/dangling").path, root_ + "/a/nowhere/at-all");
  EXPECT_EQ(locate("/a/escape/no-such-name").path, "/etc/no-such-name");
  EXPECT_EQ(locate("/a/file/below").kind, FileKind::missing);
  EXPECT_EQ(locate("/a/file/below").trouble, "");
}

TEST_F(PathLookupTest, RefusesLoopsAndLinksThatLeadAnywhere) {
  EXPECT_EQ(locate("/a/loop").trouble, "too many links");
  EXPECT_NE(lookup_.locate("/proc/self/root/etc/passwd").trouble, "");
  EXPECT_NE(lookup_.locate(concat("/proc/", getpid(), "/cwd")).trouble, "");
  EXPECT_NE(lookup_.locate("/proc/self/fd/0").trouble, "");
  EXPECT_EQ(lookup_.locate("/proc/self/status").trouble, "");
  EXPECT_NE(lookup_.locate(std::string_view("/tmp\0x", 6)).trouble, "");
}

TEST_F(PathLookupTest, KeepsTheFileThatItFoundWhateverHappensToTheName) {
  const Located before = locate("/a/file");
  std::filesystem::rename(root_ + "/a/file", root_ + "/a/moved");
  std::ofstream(root_ + "/a/file") << "impostor";
  EXPECT_EQ(lookup_.head(before, 100), "content");
  EXPECT_EQ(lookup_.head(locate("/a/file"), 100), "content") << "one decision means one file";
  EXPECT_EQ(lookup_.head(FileSystemLookup().locate(root_ + "/a/file"), 100), "impostor");
}

TEST_F(PathLookupTest, KnowsExecutablesAndDigests) {
  EXPECT_FALSE(FileSystemLookup().locate(root_ + "/a/file").executable);
  chmod((root_ + "/a/file").c_str(), 04755);
  EXPECT_TRUE(locate("/a/file").executable);
  EXPECT_TRUE(locate("/a/file").set_id);
  EXPECT_EQ(lookup_.sha256(locate("/a/file")),
            "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73");
  EXPECT_EQ(lookup_.sha256(locate("/a/b")), "");
}

}  // namespace
}  // namespace bawn
