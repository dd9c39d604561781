#include "backend/posix/path_lookup.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "backend/posix/scratch.h"
#include "validate/unix_lookup_cases.h"

namespace bawn {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Posix, UnixLookupCases, posix::UnixLookup);

}  // namespace
}  // namespace bawn

namespace bawn::posix {
namespace {

TEST(UnixLookup, OpensNoPipe) {
  const Scratch scratch;
  ASSERT_EQ(mkfifo(scratch.file("pipe").c_str(), 0600), 0);
  // Opening the FIFO for reading would wake a process that waits to write. A look-up must not do
  // that.
  const Located located = UnixLookup().locate(scratch.file("pipe"));
  EXPECT_EQ(located.kind, FileKind::other);
  EXPECT_EQ(located.error, "");
}

TEST(UnixLookup, GoesThroughDirectoriesThatCannotBeListed) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.file("shut/inner"));
  write_text(scratch.file("shut/inner/file"), "content");
  ASSERT_EQ(chmod(scratch.file("shut").c_str(), 0100), 0);
  const UnixLookup lookup;
  EXPECT_EQ(lookup.head(lookup.locate(scratch.file("shut/inner/file")), 100), "content");
  ASSERT_EQ(chmod(scratch.file("shut").c_str(), 0700), 0);
}

TEST(UnixLookup, WhatLiesInADirectoryThatMayNotBeEnteredIsAnError) {
  if (geteuid() == 0) GTEST_SKIP() << "root may enter everything";
  const Scratch scratch;
  std::filesystem::create_directories(scratch.file("shut/inner"));
  ASSERT_EQ(chmod(scratch.file("shut").c_str(), 0), 0);
  EXPECT_NE(UnixLookup().locate(scratch.file("shut/inner")).error, "");
  EXPECT_EQ(UnixLookup().locate(scratch.file("shut")).kind, FileKind::directory);
  ASSERT_EQ(chmod(scratch.file("shut").c_str(), 0700), 0);
}

}  // namespace
}  // namespace bawn::posix
