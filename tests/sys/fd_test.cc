#include "sys/fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <utility>

namespace bawn {
namespace {

Fd open_null() { return Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)); }
bool is_open(int fd) { return ::fcntl(fd, F_GETFD) != -1; }

TEST(Fd, ClosesWhatItOwns) {
  int number = -1;
  {
    const Fd fd = open_null();
    number = fd.get();
    EXPECT_TRUE(is_open(number));
  }
  EXPECT_FALSE(is_open(number));
}

TEST(Fd, IsNoneUntilItIsGivenOne) {
  EXPECT_FALSE(Fd());
  EXPECT_EQ(Fd().get(), -1);
  Fd zero(0);
  EXPECT_TRUE(zero) << "0 is a descriptor like any other";
  EXPECT_EQ(zero.release(), 0);
}

TEST(Fd, HandsOverOwnershipWhenMoved) {
  Fd first = open_null();
  const int number = first.get();
  Fd second = std::move(first);
  EXPECT_EQ(second.get(), number);
  Fd third = open_null();
  const int replaced = third.get();
  third = std::move(second);
  EXPECT_EQ(third.get(), number);
  EXPECT_FALSE(is_open(replaced));
  EXPECT_TRUE(is_open(number));
}

TEST(Fd, SurvivesBeingAssignedToItself) {
  Fd fd = open_null();
  Fd& same = fd;
  fd = std::move(same);
  EXPECT_TRUE(is_open(fd.get()));
}

TEST(Fd, LeavesAReleasedDescriptorOpen) {
  Fd fd = open_null();
  const Fd kept(fd.release());
  EXPECT_FALSE(fd);
  EXPECT_TRUE(is_open(kept.get()));
}

}  // namespace
}  // namespace bawn
