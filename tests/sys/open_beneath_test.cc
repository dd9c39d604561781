#include "sys/open_beneath.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sys/directory.h"
#include "sys/open.h"

namespace bawn::sys {
namespace {

namespace fs = std::filesystem;

class Beneath : public testing::Test {
 protected:
  Beneath() {
    std::string pattern = testing::TempDir() + "/beneath-XXXXXX";
    root_ = ::mkdtemp(pattern.data());
    fs::create_directories(root_ / "in/a/b");
    std::ofstream(root_ / "in/a/b/file") << "x";
    std::ofstream(root_ / "outside") << "x";
    fs::create_symlink("a/b", root_ / "in/link");
    fs::create_symlink("../outside", root_ / "in/out");
    directory_ = open((root_ / "in").c_str(), O_RDONLY | O_DIRECTORY).value();
  }
  ~Beneath() override { fs::remove_all(root_); }

  // 0 if it can be opened.
  [[nodiscard]] int error_of(const char* path, int flags = O_RDONLY) const {
    const auto opened = open_beneath(directory_.get(), path, flags);
    return opened ? 0 : opened.error().sys_errno;
  }

  fs::path root_;
  Fd directory_;
};

TEST_F(Beneath, OpensFilesAndTheDirectoryItself) {
  EXPECT_EQ(error_of("a/b/file"), 0);
  EXPECT_EQ(error_of("a", O_RDONLY | O_DIRECTORY), 0);
  EXPECT_EQ(error_of("", O_RDONLY | O_DIRECTORY), 0);
  EXPECT_EQ(error_of("a/none"), ENOENT);
}

TEST_F(Beneath, FollowsNoLink) {
  EXPECT_EQ(error_of("link"), ELOOP);
  EXPECT_EQ(error_of("link/file"), ELOOP);
  EXPECT_EQ(error_of("out"), ELOOP);
}

TEST_F(Beneath, FollowsLinksThatStayInsideIfAsked) {
  const auto error_of_link = [&](const char* path) {
    const auto opened = open_beneath_through_links(directory_.get(), path, O_RDONLY);
    return opened ? 0 : opened.error().sys_errno;
  };
  EXPECT_EQ(error_of_link("link/file"), 0);
  EXPECT_EQ(error_of_link("out"), EXDEV);
  EXPECT_EQ(error_of_link("link/none"), ENOENT);
}

TEST_F(Beneath, OpensADirectoryForLookUpsAlone) {
  EXPECT_EQ(error_of("a", kSearch), 0);
  EXPECT_EQ(error_of("a/b", kSearch), 0);
  EXPECT_EQ(error_of("link", kSearch), ENOTDIR);
  EXPECT_EQ(error_of("a/b/file", kSearch), ENOTDIR);
}

TEST_F(Beneath, DoesNotLeaveTheDirectory) {
  EXPECT_EQ(error_of("a/../../outside"), EXDEV);
  EXPECT_EQ(error_of("/etc/passwd"), EXDEV);
}

TEST_F(Beneath, DoesNotWaitForAFifo) {
  ASSERT_EQ(::mkfifo((root_ / "in/fifo").c_str(), 0600), 0);
  EXPECT_EQ(error_of("fifo"), 0);
}

TEST_F(Beneath, ListsADirectoryAgainAndUpToABound) {
  for (int round = 0; round < 2; ++round) {
    const auto all = list_directory(directory_.get(), 10);
    ASSERT_TRUE(all);
    EXPECT_EQ(all.value().entries.size(), 3U);
    EXPECT_TRUE(all.value().complete);
  }
  const auto some = list_directory(directory_.get(), 2);
  EXPECT_EQ(some.value().entries.size(), 2U);
  EXPECT_FALSE(some.value().complete);
  const Fd path_only = open((root_ / "in").c_str(), O_PATH | O_DIRECTORY).value();
  EXPECT_EQ(names_in(path_only.get(), 10).value().size(), 3U);
}

}  // namespace
}  // namespace bawn::sys
