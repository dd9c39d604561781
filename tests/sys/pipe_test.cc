#include "sys/pipe.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include "sys/call.h"

namespace bawn {
namespace {

TEST(Pipe, ClosesOnExecAndBlocks) {
  const sys::PipeEnds pipe = sys::pipe().value();
  for (const int fd : {pipe.read.get(), pipe.write.get()}) {
    EXPECT_EQ(::fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    EXPECT_EQ(::fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
  }
}

TEST(Pipe, ReportsTheCapacityItReached) {
  const sys::PipeEnds pipe = sys::pipe().value();
  const std::size_t reached = sys::grow_pipe(pipe.read.get(), 1024 * 1024);
  EXPECT_EQ(static_cast<int>(reached), ::fcntl(pipe.write.get(), F_GETPIPE_SZ));
  EXPECT_EQ(sys::grow_pipe(pipe.read.get(), 1), reached) << "it only grows";
}

TEST(Pipe, TakesWhatTheKernelPermitsWhereMoreWasWanted) {
  const sys::PipeEnds pipe = sys::pipe().value();
  const int born = ::fcntl(pipe.read.get(), F_GETPIPE_SZ);
  EXPECT_GE(static_cast<int>(sys::grow_pipe(pipe.read.get(), std::size_t{1} << 26)), born);
}

TEST(Pipe, MakesOneEndNonBlockingAndNotTheOther) {
  const sys::PipeEnds pipe = sys::pipe().value();
  ASSERT_TRUE(sys::set_nonblocking(pipe.read.get()));
  char byte = 0;
  EXPECT_EQ(::read(pipe.read.get(), &byte, 1), -1);
  EXPECT_EQ(::fcntl(pipe.write.get(), F_GETFL) & O_NONBLOCK, 0);
}

TEST(Call, RepeatsWhatASignalInterruptedAndNothingElse) {
  int calls = 0;
  const auto interrupted_twice = sys::checked("call", [&] {
    errno = EINTR;
    return ++calls < 3 ? -1 : 7;
  });
  EXPECT_EQ(interrupted_twice.value(), 7);
  calls = 0;
  const auto refused = sys::checked("call", [&] {
    ++calls;
    errno = EPERM;
    return -1;
  });
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(refused.error().sys_errno, EPERM);
  EXPECT_EQ(refused.error().message.substr(0, 6), "call: ");
}

}  // namespace
}  // namespace bawn
