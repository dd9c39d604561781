// The caller's pipe or socket keeps what a command does not read from its stdin.

#include "backend/linux/stdio/input_tap.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <string>

#include "sys/pipe.h"
#include "sys/write_signals.h"

namespace bawn::linux_ {
namespace {

using Next = InputTap::Next;

std::string read_some(int fd, std::size_t most) {
  std::string got(most, '\0');
  const ssize_t n = read(fd, got.data(), most);
  got.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return got;
}

bool polls_writable(int fd) {
  pollfd ask{.fd = fd, .events = POLLOUT, .revents = 0};
  return poll(&ask, 1, 0) == 1;
}

void put_all(int fd, std::string_view bytes) {
  ASSERT_EQ(write(fd, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
}

// The caller's two ends, the command's two ends, and the tap between them.
class Tap : public testing::TestWithParam<InputTap::Kind> {
 protected:
  void SetUp() override {
    std::array<int, 2> ends{};
    if (GetParam() == InputTap::Kind::pipe) {
      ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    } else {
      ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data()), 0);
    }
    source_ = Fd(ends[0]);
    writer_ = Fd(ends[1]);
    command_ = sys::pipe().value();
    ASSERT_TRUE(sys::set_nonblocking(command_.read.get()));
    ASSERT_TRUE(sys::set_nonblocking(command_.write.get()));
    tap_ = InputTap::create(GetParam(), source_.get(), command_.write.get()).value();
    ASSERT_TRUE(tap_);
  }

  Next move() {
    const sys::WriteSignalBlock no_signals;
    return tap_->move();
  }

  Fd source_;
  Fd writer_;
  sys::PipeEnds command_;
  std::optional<InputTap> tap_;
};

TEST_P(Tap, ShowsWhatWaitsAndTakesNothingThatIsNotRead) {
  EXPECT_EQ(move(), Next::wait_for_source);
  put_all(writer_.get(), "one\ntwo\n");
  EXPECT_EQ(move(), Next::wait_for_command);
  tap_->take_read();
  EXPECT_EQ(read_some(source_.get(), 100), "one\ntwo\n") << "all of it is still the caller's";
}

TEST_P(Tap, TakesExactlyWhatTheCommandHasRead) {
  put_all(writer_.get(), "one\ntwo\n");
  EXPECT_EQ(move(), Next::wait_for_command);
  EXPECT_EQ(read_some(command_.read.get(), 4), "one\n");
  tap_->take_read();
  EXPECT_EQ(read_some(source_.get(), 100), "two\n");
}

TEST_P(Tap, ShowsTheNextPieceWhenTheFirstIsRead) {
  put_all(writer_.get(), "one\n");
  EXPECT_EQ(move(), Next::wait_for_command);
  put_all(writer_.get(), "two\n");
  EXPECT_EQ(move(), Next::wait_for_command);
  EXPECT_EQ(read_some(command_.read.get(), 100), "one\n");
  EXPECT_EQ(move(), Next::wait_for_command);
  EXPECT_EQ(read_some(command_.read.get(), 100), "two\n");
  EXPECT_EQ(move(), Next::wait_for_source);
  writer_.reset();
  EXPECT_EQ(move(), Next::end);
}

// bawn sleeps until the command's pipe is writable.
TEST_P(Tap, MakesTheCommandsPipeWritableOnlyWhenItIsEmpty) {
  put_all(writer_.get(), "text");
  EXPECT_EQ(move(), Next::wait_for_command);
  EXPECT_FALSE(polls_writable(command_.write.get())) << "full with one piece";
  EXPECT_EQ(read_some(command_.read.get(), 3), "tex");
  EXPECT_FALSE(polls_writable(command_.write.get()));
  EXPECT_EQ(read_some(command_.read.get(), 3), "t");
  EXPECT_TRUE(polls_writable(command_.write.get()));
}

TEST_P(Tap, EndsWhenTheCommandClosesItsInput) {
  put_all(writer_.get(), "text");
  EXPECT_EQ(move(), Next::wait_for_command);
  command_.read.reset();
  EXPECT_EQ(move(), Next::end);
  tap_->take_read();
  EXPECT_EQ(read_some(source_.get(), 100), "text");
}

// The command can open its own pipe for writing. bawn must not be woken again and again because of
// it, and must not take more from the source than it has shown.
TEST_P(Tap, WaitsForTheCommandThatFillsItsOwnPipe) {
  put_all(command_.write.get(), "its own");
  EXPECT_EQ(move(), Next::wait_for_source);
  put_all(writer_.get(), "text");
  EXPECT_EQ(move(), Next::wait_for_command);
  tap_->take_read();
  EXPECT_EQ(read_some(source_.get(), 100), "text");
}

// A pipe of two pages would poll writable while the command sleeps, and bawn would spin.
TEST_P(Tap, DoesNotLetTheCommandsPipeGrow) {
  put_all(writer_.get(), "text");
  EXPECT_EQ(move(), Next::wait_for_command);
  ASSERT_GT(fcntl(command_.read.get(), F_SETPIPE_SZ, 1 << 20), 4096);
  ASSERT_TRUE(polls_writable(command_.write.get())) << "the control";
  EXPECT_EQ(move(), Next::wait_for_command);
  EXPECT_FALSE(polls_writable(command_.write.get()));
}

TEST_P(Tap, EndsWhenTheCommandFillsAPipeThatItLetGrow) {
  put_all(writer_.get(), "text");
  EXPECT_EQ(move(), Next::wait_for_command);
  ASSERT_GT(fcntl(command_.read.get(), F_SETPIPE_SZ, 1 << 20), 4096);
  put_all(command_.write.get(), std::string(20000, 'x'));
  EXPECT_EQ(move(), Next::end);
}

TEST_P(Tap, SeesTheEndBehindAPipeThatTheCommandHasFilled) {
  put_all(command_.write.get(), "its own");
  writer_.reset();
  EXPECT_EQ(move(), Next::end);
}

TEST_P(Tap, LetsTheRestStreamOnceTheCommandHasReadMuch) {
  const std::string page(4096, 'x');
  Next next = Next::wait_for_source;
  for (std::size_t read = 0; read < kTappedBytes; read += page.size()) {
    put_all(writer_.get(), page);
    ASSERT_EQ(move(), Next::wait_for_command) << read;
    ASSERT_EQ(read_some(command_.read.get(), page.size()), page) << read;
    next = move();
  }
  EXPECT_EQ(next, Next::stream);
}

INSTANTIATE_TEST_SUITE_P(Of, Tap, testing::Values(InputTap::Kind::pipe, InputTap::Kind::socket),
                         [](const auto& tested) {
                           return tested.param == InputTap::Kind::pipe ? "APipe" : "ASocket";
                         });

}  // namespace
}  // namespace bawn::linux_
