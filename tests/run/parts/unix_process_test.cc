#include "run/unix/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>

namespace bawn {
namespace {

// Replaces one of the descriptors 0, 1 and 2 of this process until it is destroyed. A failure
// meanwhile might be printed into the replacement, so tests check results afterwards.
class InPlaceOf {
 public:
  // Closes the descriptor if `replacement` is -1.
  InPlaceOf(int fd, int replacement) : fd_(fd), saved_(fcntl(fd, F_DUPFD_CLOEXEC, 3)) {
    if (replacement == -1) {
      close(fd_);
    } else {
      dup2(replacement, fd_);
    }
  }
  InPlaceOf(const InPlaceOf&) = delete;
  InPlaceOf& operator=(const InPlaceOf&) = delete;
  ~InPlaceOf() {
    dup2(saved_, fd_);
    close(saved_);
  }

 private:
  int fd_;
  int saved_;
};

Result<void> required_without(int fd, StdioMode mode) {
  const InPlaceOf closed(fd, -1);
  return require_stdio(mode);
}

TEST(RandomBytes, AreOthersEachTime) {
  const auto first = random_bytes();
  const auto second = random_bytes();
  ASSERT_TRUE(first && second);
  EXPECT_NE(first.value(), second.value());
}

TEST(CallerEnvironment, IsThisProcesssUnlessTheOptionsHaveOne) {
  ASSERT_EQ(setenv("BAWN_TEST_SET", "here", 1), 0);
  ASSERT_EQ(setenv("BAWN_TEST_EMPTY", "", 1), 0);
  const auto own = environment_of({});
  EXPECT_EQ(own("BAWN_TEST_SET"), "here");
  EXPECT_EQ(own(std::string_view("BAWN_TEST_SETTLED").substr(0, 13)), "here");
  EXPECT_EQ(own("BAWN_TEST_EMPTY"), "") << "is not the same as none";
  EXPECT_EQ(own("BAWN_TEST_UNSET"), std::nullopt);
  const auto given = environment_of({.caller_env = [](std::string_view) { return std::nullopt; }});
  EXPECT_EQ(given("BAWN_TEST_SET"), std::nullopt);
}

TEST(BorrowedFiles, AreThoseThatAreNotCaptured) {
  EXPECT_EQ(borrowed_files(StdioMode::capture), 0);
  EXPECT_EQ(borrowed_files(StdioMode::capture_output), 1);
  EXPECT_EQ(borrowed_files(StdioMode::pass), 3);
}

TEST(Terminals, AreMarkedByTheirNumberAmongThoseAskedFor) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
  ASSERT_NE(terminal, -1);
  ASSERT_NE(nothing, -1);
  std::array<std::uint32_t, 4> marks{};
  {
    const InPlaceOf in(STDIN_FILENO, terminal);
    const InPlaceOf out(STDOUT_FILENO, nothing);
    const InPlaceOf err(STDERR_FILENO, terminal);
    for (int files = 0; files <= 3; ++files)
      marks[static_cast<std::size_t>(files)] = terminals_among(files);
  }
  EXPECT_EQ(marks, (std::array<std::uint32_t, 4>{0b000, 0b001, 0b001, 0b101}));
  close(terminal);
  close(nothing);
}

TEST(RequiredStdio, IsWhatTheCommandIsToGet) {
  for (int fd = 0; fd < 3; ++fd) {
    const Result<void> passed = required_without(fd, StdioMode::pass);
    ASSERT_FALSE(passed) << fd;
    EXPECT_EQ(passed.error().kind, ErrorKind::invalid);
    EXPECT_EQ(passed.error().message,
              "the caller's file " + std::to_string(fd) + " is closed; open it on /dev/null");
    EXPECT_TRUE(required_without(fd, StdioMode::capture)) << fd;
    EXPECT_EQ(required_without(fd, StdioMode::capture_output).ok(), fd != 0) << fd;
  }
  EXPECT_TRUE(require_stdio(StdioMode::pass));
}

}  // namespace
}  // namespace bawn
