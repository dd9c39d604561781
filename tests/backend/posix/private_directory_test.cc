#include "backend/posix/private_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "backend/posix/scratch.h"

namespace bawn::posix {
namespace {

namespace fs = std::filesystem;

Result<PrivateDirectory> make(const Scratch& scratch) {
  return PrivateDirectory::make(scratch.path(), "own", {.home = true, .tmp = true, .work = false});
}

TEST(PrivateDirectory, HoldsTheWantedPartsForThisUserOnly) {
  const Scratch scratch;
  auto made = make(scratch);
  ASSERT_TRUE(made);
  EXPECT_TRUE(fs::is_directory(scratch.file("own/home")));
  EXPECT_TRUE(fs::is_directory(scratch.file("own/tmp")));
  EXPECT_FALSE(fs::exists(scratch.file("own/work")));
  for (const char* each : {"own", "own/home", "own/tmp"}) {
    EXPECT_EQ(fs::status(scratch.file(each)).permissions(), fs::perms::owner_all) << each;
  }
}

TEST(PrivateDirectory, IsNeverOneThatWasThere) {
  const Scratch scratch;
  fs::create_directory(scratch.file("own"));
  EXPECT_FALSE(make(scratch));
  EXPECT_TRUE(fs::exists(scratch.file("own"))) << "nor removed";
  EXPECT_FALSE(PrivateDirectory::make(scratch.file("no-such"), "own", {}));
}

TEST(PrivateDirectory, GoesWithEverythingInItAndNothingElse) {
  const Scratch scratch;
  write_text(scratch.file("kept"), "kept");
  fs::create_directory(scratch.file("also-kept"));
  write_text(scratch.file("also-kept/file"), "kept");
  {
    auto made = make(scratch);
    ASSERT_TRUE(made);
    fs::create_directories(scratch.file("own/tmp/a/b/c"));
    write_text(scratch.file("own/tmp/a/b/c/file"), "x");
    fs::create_directory(scratch.file("own/home/bawn-moved-1"));
    write_text(scratch.file("own/home/bawn-moved-1/file"), "x");
    fs::create_symlink(scratch.file("kept"), scratch.file("own/tmp/link"));
    fs::create_directory_symlink(scratch.file("also-kept"), scratch.file("own/home/link"));
    fs::permissions(scratch.file("own/tmp/a/b"), fs::perms::none);
    fs::permissions(scratch.file("own/home"), fs::perms::none);
    EXPECT_TRUE(made.value().remove());
    EXPECT_FALSE(fs::exists(scratch.file("own")));
    EXPECT_TRUE(made.value().remove()) << "a second time does nothing";
  }
  EXPECT_EQ(read_text(scratch.file("kept")), "kept");
  EXPECT_EQ(read_text(scratch.file("also-kept/file")), "kept");
}

// Deeper than PATH_MAX, and deeper than the limit of open files.
TEST(PrivateDirectory, OfAnyDepthIsRemoved) {
  const Scratch scratch;
  auto made = make(scratch);
  ASSERT_TRUE(made);
  const fs::path here = fs::current_path();
  fs::current_path(scratch.file("own/tmp"));
  for (int depth = 0; depth < 3000; ++depth) {
    ASSERT_EQ(::mkdir("deeper", 0700), 0);
    ASSERT_EQ(::chdir("deeper"), 0);
  }
  fs::current_path(here);
  EXPECT_TRUE(made.value().remove());
  EXPECT_FALSE(fs::exists(scratch.file("own")));
}

TEST(PrivateDirectory, IsRemovedWhenForgotten) {
  const Scratch scratch;
  ASSERT_TRUE(make(scratch));
  EXPECT_FALSE(fs::exists(scratch.file("own")));
}

}  // namespace
}  // namespace bawn::posix
