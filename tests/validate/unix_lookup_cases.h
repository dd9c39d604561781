// Cases that every PathLookup on a real Unix must pass, however it finds out. A test instantiates
// the cases for its class:
//   INSTANTIATE_TYPED_TEST_SUITE_P(Linux, UnixLookupCases, FileSystemLookup);
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "validate/lookup.h"

namespace bawn {

// The tree lies below /tmp, which may itself be a link; root_ is its canonical path.
template <class Lookup>
class UnixLookupCases : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = "/tmp/bawn-test-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = std::filesystem::canonical(pattern);
    std::filesystem::create_directories(root_ + "/a/b");
    std::ofstream(root_ + "/a/file") << "content";
    std::filesystem::create_symlink("b", root_ + "/a/inner");
    std::filesystem::create_symlink("../a/file", root_ + "/a/relative");
    std::filesystem::create_symlink("/usr", root_ + "/a/escape");
    std::filesystem::create_symlink("nowhere/at-all", root_ + "/a/dangling");
    std::filesystem::create_symlink("loop", root_ + "/a/loop");
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  [[nodiscard]] Located locate(const std::string& below) const {
    return lookup_.locate(root_ + below);
  }

  std::string root_;
  Lookup lookup_;
};
TYPED_TEST_SUITE_P(UnixLookupCases);

TYPED_TEST_P(UnixLookupCases, FindsFilesAndDirectoriesUnderTheirRealNames) {
  EXPECT_EQ(this->locate("/a/file").path, this->root_ + "/a/file");
  EXPECT_EQ(this->locate("/a/file").kind, FileKind::regular);
  EXPECT_EQ(this->locate("/a/file").size, 7U);
  EXPECT_EQ(this->locate("//a/./b/../file").path, this->root_ + "/a/file");
  EXPECT_EQ(this->locate("/a/").kind, FileKind::directory);
  EXPECT_EQ(this->lookup_.locate("/").path, "/");
  EXPECT_EQ(this->lookup_.locate("/dev/null").kind, FileKind::other);
}

TYPED_TEST_P(UnixLookupCases, FollowsLinksToTheirTargets) {
  EXPECT_EQ(this->locate("/a/inner").path, this->root_ + "/a/b");
  EXPECT_EQ(this->locate("/a/relative").path, this->root_ + "/a/file");
  EXPECT_EQ(this->locate("/a/escape/bin").path, "/usr/bin");
  // ".." after a link goes up from the link's target, not from the directory of the link.
  EXPECT_EQ(this->locate("/a/escape/..").path, "/");
}

TYPED_TEST_P(UnixLookupCases, NamesTheLinksByWhichItCameThere) {
  using Links = std::vector<std::string>;
  const auto links = [this](const std::string& below) {
    Links out;
    for (const PassedLink& link : this->locate(below).links) out.push_back(link.path);
    return out;
  };
  EXPECT_EQ(links("/a/file"), Links());
  EXPECT_EQ(links("/a/inner/../relative"),
            (Links{this->root_ + "/a/inner", this->root_ + "/a/relative"}));
  EXPECT_EQ(links("/a/escape/no-such-name"), Links{this->root_ + "/a/escape"});
  EXPECT_EQ(links("/a/dangling"), Links{this->root_ + "/a/dangling"});
}

// A run has the same user as its caller. It can chmod its directory, so the mode does not prove
// that the caller did not make the link.
TYPED_TEST_P(UnixLookupCases, TellsWhoCanHaveMadeALink) {
  const auto maker = [this](const std::string& below) {
    const Located located = TypeParam().locate(this->root_ + below);
    return located.links.empty() ? std::nullopt : std::optional(located.links.front().maker);
  };
  EXPECT_EQ(maker("/a/inner"), LinkMaker::caller);
  EXPECT_EQ(maker("/a/inner/nothing"), LinkMaker::caller);
  ASSERT_EQ(chmod((this->root_ + "/a").c_str(), 0555), 0);
  EXPECT_EQ(maker("/a/inner"), LinkMaker::caller);
  ASSERT_EQ(chmod((this->root_ + "/a").c_str(), 0755), 0);
  EXPECT_EQ(maker("/a/file"), std::nullopt);
  if (geteuid() != 0) {
    for (const char* path : {"/bin", "/tmp", "/var/run"}) {
      for (const PassedLink& link : this->lookup_.locate(path).links)
        EXPECT_EQ(link.maker, LinkMaker::administrator) << link.path;
    }
    return;
  }
  constexpr uid_t kStranger = 12345;
  ASSERT_EQ(lchown((this->root_ + "/a/inner").c_str(), kStranger, kStranger), 0);
  EXPECT_EQ(maker("/a/inner"), LinkMaker::stranger);
}

TYPED_TEST_P(UnixLookupCases, TellsWhereSomethingMissingWouldBe) {
  EXPECT_EQ(this->locate("/a/new").path, this->root_ + "/a/new");
  EXPECT_EQ(this->locate("/a/new").kind, FileKind::missing);
  EXPECT_EQ(this->locate("/a/new").file, nullptr);
  EXPECT_EQ(this->locate("/a/new/../../../x").path,
            std::filesystem::path(this->root_).parent_path() / "x");
  EXPECT_EQ(this->locate("/a/dangling").path, this->root_ + "/a/nowhere/at-all");
  EXPECT_EQ(this->locate("/a/escape/no-such-name").path, "/usr/no-such-name");
  EXPECT_EQ(this->locate("/a/file/below").kind, FileKind::missing);
  EXPECT_EQ(this->locate("/a/file/below").error, "");
}

TYPED_TEST_P(UnixLookupCases, RefusesLoopsAndNulBytes) {
  EXPECT_EQ(this->locate("/a/loop").error, "too many links");
  EXPECT_NE(this->lookup_.locate(std::string_view("/tmp\0x", 6)).error, "");
}

TYPED_TEST_P(UnixLookupCases, KeepsTheFileThatItFoundWhateverHappensToTheName) {
  const Located before = this->locate("/a/file");
  std::filesystem::rename(this->root_ + "/a/file", this->root_ + "/a/moved");
  std::ofstream(this->root_ + "/a/file") << "impostor";
  EXPECT_EQ(this->lookup_.head(before, 100), "content");
  EXPECT_EQ(this->lookup_.head(this->locate("/a/file"), 100), "content")
      << "one decision means one file";
  EXPECT_EQ(this->lookup_.head(TypeParam().locate(this->root_ + "/a/file"), 100), "impostor");
}

TYPED_TEST_P(UnixLookupCases, KnowsExecutablesAndDigests) {
  const Located plain = TypeParam().locate(this->root_ + "/a/file");
  EXPECT_FALSE(plain.executable);
  EXPECT_FALSE(plain.set_id);
  chmod((this->root_ + "/a/file").c_str(), 04755);
  EXPECT_TRUE(this->locate("/a/file").executable);
  EXPECT_TRUE(this->locate("/a/file").set_id);
  EXPECT_EQ(this->locate("/a/file").inode, plain.inode);
  EXPECT_EQ(this->lookup_.sha256(this->locate("/a/file")),
            "ed7002b439e9ac845f22357d822bac1444730fbdb6016d3ec9432297b9ec9f73");
  EXPECT_EQ(this->lookup_.sha256(this->locate("/a/b")), "");
}

TYPED_TEST_P(UnixLookupCases, CountsTheNamesOfAFile) {
  EXPECT_EQ(TypeParam().locate(this->root_ + "/a/file").link_count, 1U);
  EXPECT_EQ(this->locate("/a").link_count, 1U) << "the links of a directory are not names of it";
  std::filesystem::create_hard_link(this->root_ + "/a/file", this->root_ + "/a/second");
  EXPECT_EQ(this->locate("/a/file").link_count, 2U);
}

TYPED_TEST_P(UnixLookupCases, TellsWhatCannotBeReadFromWhatIsEmpty) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const std::string sealed = this->root_ + "/a/sealed";
  std::ofstream(sealed) << "#!/bin/sh";
  std::ofstream(this->root_ + "/a/empty");
  chmod(sealed.c_str(), 0111);
  const Located located = this->locate("/a/sealed");
  EXPECT_EQ(located.kind, FileKind::regular);
  EXPECT_TRUE(located.executable);
  EXPECT_FALSE(located.owned_by_root);
  EXPECT_EQ(this->lookup_.head(located, 100), std::nullopt);
  EXPECT_EQ(this->lookup_.sha256(located), "") << "a digest that cannot be made matches none";
  EXPECT_EQ(this->lookup_.head(this->locate("/a/empty"), 100), "");
  EXPECT_TRUE(this->lookup_.locate("/etc/passwd").owned_by_root);
}

REGISTER_TYPED_TEST_SUITE_P(UnixLookupCases, FindsFilesAndDirectoriesUnderTheirRealNames,
                            FollowsLinksToTheirTargets, NamesTheLinksByWhichItCameThere,
                            TellsWhoCanHaveMadeALink, TellsWhereSomethingMissingWouldBe,
                            RefusesLoopsAndNulBytes,
                            KeepsTheFileThatItFoundWhateverHappensToTheName,
                            KnowsExecutablesAndDigests, CountsTheNamesOfAFile,
                            TellsWhatCannotBeReadFromWhatIsEmpty);

}  // namespace bawn
