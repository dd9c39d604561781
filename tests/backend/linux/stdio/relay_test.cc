#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <string>

#include "backend/linux/stdio/pump.h"
#include "backend/linux/stdio/relay_target.h"
#include "backend/linux/stdio/writer.h"
#include "sys/open.h"
#include "sys/pipe.h"
#include "sys/write_signals.h"

namespace bawn::linux_ {
namespace {

using namespace testing;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

Pump relay_stdout_to(int target, Limit limit = {}) {
  return Pump::create({.stdout_sink = RelaySink{target}, .output_bytes = limit}).value();
}

// A pipe for the pump to write to. The read end is non-blocking, so that a failing test ends.
sys::PipeEnds target_pipe() {
  sys::PipeEnds ends = sys::pipe().value();
  EXPECT_TRUE(sys::set_nonblocking(ends.read.get()));
  return ends;
}

std::string read_available(int fd, std::size_t most) {
  std::string got(most, '\0');
  const ssize_t n = ::read(fd, got.data(), most);
  got.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return got;
}

bool sigpipe_is_pending() {
  sigset_t pending;
  ::sigpending(&pending);
  return ::sigismember(&pending, SIGPIPE) == 1;
}

TEST(Relay, PassesOutputOnAndKeepsNothing) {
  const sys::PipeEnds to = target_pipe();
  Pump pump = relay_stdout_to(to.write.get());
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put(ends.stdout_write.get(), "hello"); });
  EXPECT_TRUE(run_pump(pump).streams_closed);
  EXPECT_EQ(read_available(to.read.get(), 100), "hello");
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept, "");
  EXPECT_EQ(output.stdout_stream.bytes, 5u);
  EXPECT_FALSE(output.stdout_stream.truncated);
  wait_for(child);
}

TEST(Relay, PassesOnNoMoreThanTheQuota) {
  const sys::PipeEnds to = target_pipe();
  Pump pump = relay_stdout_to(to.write.get(), 3);
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put(ends.stdout_write.get(), "hello"); });
  EXPECT_TRUE(run_pump(pump).output_exceeded);
  EXPECT_EQ(read_available(to.read.get(), 100), "hel");
  EXPECT_TRUE(pump.finish().stdout_stream.truncated);
  wait_for(child);
}

TEST(Relay, LeavesTheFlagsOfTheSharedTargetAlone) {
  const sys::PipeEnds to = target_pipe();
  const int before = ::fcntl(to.write.get(), F_GETFL);
  Pump pump = relay_stdout_to(to.write.get());
  (void)pump.take_child_ends();
  (void)run_pump(pump);
  EXPECT_EQ(::fcntl(to.write.get(), F_GETFL), before);
}

// All bytes arrive, however slowly they are read, and no step waits for the reader.
void expect_slow_reader_gets_everything(int read_fd, int write_fd) {
  constexpr std::size_t kBytes = 3 * 1024 * 1024;
  Pump pump = relay_stdout_to(write_fd);
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), kBytes); });
  std::size_t received = 0;
  bool was_slow = false;
  PumpEvent event;
  while (!event.streams_closed) {
    while (!event.streams_closed && ready(pump, 20)) {
      const auto start = steady_clock::now();
      event = pump.step().value();
      ASSERT_LT(steady_clock::now() - start, milliseconds(1000));
      was_slow = was_slow || event.reader_slow;
    }
    received += read_available(read_fd, 256 * 1024).size();
  }
  for (std::size_t n = 1; n > 0 && received < kBytes; received += n)
    n = read_available(read_fd, 1 << 20).size();
  EXPECT_TRUE(was_slow);
  EXPECT_EQ(received, kBytes);
  EXPECT_EQ(wait_for(child), 0);
}

TEST(Relay, WaitsForASlowPipeWithoutBlocking) {
  const sys::PipeEnds to = target_pipe();
  expect_slow_reader_gets_everything(to.read.get(), to.write.get());
}

TEST(Relay, WaitsForASlowSocketWithoutBlocking) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  const Fd reader(ends[0]), writer(ends[1]);
  ASSERT_TRUE(sys::set_nonblocking(reader.get()));
  expect_slow_reader_gets_everything(reader.get(), writer.get());
}

// As a pipe of another user: bawn may write to it, but may not reopen it.
TEST(Relay, WaitsForASlowPipeThatItMayNotReopen) {
  const sys::PipeEnds to = target_pipe();
  ASSERT_EQ(::fchmod(to.write.get(), 0), 0);
  const bool as_root = ::geteuid() == 0;
  if (as_root && ::seteuid(65534) != 0) GTEST_SKIP() << "root cannot become someone else here";
  Pump pump = relay_stdout_to(to.write.get());
  ASSERT_TRUE(!as_root || ::seteuid(0) == 0);
  const pid_t child = fork_writer(
      pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 300 * 1024); });
  EXPECT_TRUE(run_pump(pump, 100).reader_slow);
  std::size_t received = 0;
  for (PumpEvent event; !event.streams_closed; event = run_pump(pump, 20)) {
    received += read_available(to.read.get(), 64 * 1024).size();
  }
  while (received < 300 * 1024) received += read_available(to.read.get(), 64 * 1024).size();
  EXPECT_EQ(received, 300u * 1024);
  wait_for(child);
}

TEST(Relay, DoesNotBlockOnATerminalWithoutAReader) {
  const Fd terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  if (!terminal || ::grantpt(terminal.get()) != 0 || ::unlockpt(terminal.get()) != 0) {
    GTEST_SKIP() << "no pseudo-terminals here";
  }
  const Fd line(::open(::ptsname(terminal.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(line);
  Pump pump = relay_stdout_to(line.get());
  const pid_t child = fork_writer(
      pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 512 * 1024); });
  const auto start = steady_clock::now();
  const PumpEvent event = run_pump(pump, 200);
  EXPECT_LT(steady_clock::now() - start, milliseconds(3000));
  EXPECT_TRUE(event.reader_slow);
  EXPECT_FALSE(event.streams_closed);
  EXPECT_TRUE(pump.finish().stdout_stream.truncated)
      << "what the terminal did not take is lost, and said so";
  wait_for(child);
}

TEST(Relay, SleepsWhileTheTargetIsFullEvenAfterTheChildIsGone) {
  const sys::PipeEnds to = target_pipe();
  Pump pump = relay_stdout_to(to.write.get());
  const pid_t child = fork_writer(
      pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 200 * 1024); });
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_TRUE(run_pump(pump, 50).reader_slow);
  // The source's hang-up is pending here. A pump that reported it would keep its supervisor
  // spinning.
  EXPECT_FALSE(ready(pump, 50));
  PumpEvent event;
  while (!event.streams_closed && !read_available(to.read.get(), 64 * 1024).empty())
    event = run_pump(pump, 20);
  EXPECT_TRUE(event.streams_closed);
}

TEST(Relay, CarriesBothStreamsToOneDescriptor) {
  const sys::PipeEnds to = target_pipe();
  Pump pump = Pump::create({.stdout_sink = RelaySink{to.write.get()},
                            .stderr_sink = RelaySink{to.write.get()},
                            .output_bytes = Limit{}})
                  .value();
  const pid_t child = fork_writer(pump, [](const ChildEnds& ends) {
    put_many(ends.stdout_write.get(), 100 * 1024);
    put_many(ends.stderr_write.get(), 100 * 1024);
  });
  std::size_t received = 0;
  for (PumpEvent event; !event.streams_closed;) {
    ASSERT_TRUE(ready(pump, 5000));
    event = pump.step().value();
    received += read_available(to.read.get(), 1 << 20).size();
  }
  EXPECT_EQ(received, 200u * 1024);
  wait_for(child);
}

TEST(Relay, WritesToARegularFile) {
  const Fd file(::memfd_create("target", MFD_CLOEXEC));
  Pump pump = relay_stdout_to(file.get());
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 1 << 20); });
  EXPECT_TRUE(run_pump(pump).streams_closed);
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_END), 1 << 20);
  wait_for(child);
}

// RLIMIT_FSIZE holds for the command, but bawn writes the file.
TEST(Relay, WritesNoFurtherIntoARegularFileThanItMayGrow) {
  for (const int append : {0, O_APPEND}) {
    const Fd file(::memfd_create("target", MFD_CLOEXEC));
    ASSERT_EQ(::fcntl(file.get(), F_SETFL, append), 0);
    ASSERT_EQ(::write(file.get(), "before", 6), 6);
    Pump pump =
        Pump::create({.stdout_sink = RelaySink{.target = file.get(), .most_file_bytes = 100},
                      .output_bytes = Limit{}})
            .value();
    const pid_t child = fork_writer(
        pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 4 << 20); });
    EXPECT_TRUE(run_pump(pump).relay_lost);
    EXPECT_EQ(::lseek(file.get(), 0, SEEK_END), 100);
    EXPECT_EQ(pump.finish().stdout_stream.relay_errno, EFBIG);
    const int status = wait_for(child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
  }
}

TEST(Relay, FillsARegularFileUpToItsLimitWithoutAnError) {
  const Fd file(::memfd_create("target", MFD_CLOEXEC));
  Pump pump = Pump::create({.stdout_sink = RelaySink{.target = file.get(), .most_file_bytes = 100},
                            .output_bytes = Limit{}})
                  .value();
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 100); });
  EXPECT_FALSE(run_pump(pump).relay_lost);
  EXPECT_EQ(::lseek(file.get(), 0, SEEK_END), 100);
  wait_for(child);
}

TEST(Relay, TellsHowMuchAReaderHasNotTaken) {
  const sys::PipeEnds to = target_pipe();
  const std::size_t capacity = static_cast<std::size_t>(::fcntl(to.read.get(), F_GETPIPE_SZ));
  Pump pump = relay_stdout_to(to.write.get());
  const pid_t child = fork_writer(
      pump, [&](const ChildEnds& ends) { put_many(ends.stdout_write.get(), capacity + 5000); });
  EXPECT_TRUE(run_pump(pump, 50).reader_slow);
  wait_for(child);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.unread, 5000u);
  EXPECT_TRUE(output.stdout_stream.truncated);
  EXPECT_EQ(output.stdout_stream.bytes, capacity);
}

TEST(Relay, ClosesTheStreamWhoseReaderIsGoneAndSurvives) {
  struct sigaction action {};
  ASSERT_EQ(::sigaction(SIGPIPE, nullptr, &action), 0);
  ASSERT_EQ(action.sa_handler, SIG_DFL) << "otherwise this test could not fail";
  sys::PipeEnds to = target_pipe();
  Pump pump = relay_stdout_to(to.write.get());
  to.read.reset();
  const pid_t child = fork_writer(
      pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 16 * 1024 * 1024); });
  const PumpEvent event = run_pump(pump);
  EXPECT_TRUE(event.relay_lost);
  EXPECT_TRUE(event.streams_closed);
  EXPECT_FALSE(sigpipe_is_pending());
  EXPECT_EQ(pump.finish().stdout_stream.relay_errno, EPIPE);
  const int status = wait_for(child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
      << "the command learns it as in a pipeline";
}

TEST(Relay, SurvivesASocketWhoseReaderIsGone) {
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  Fd reader(ends[0]);
  const Fd writer(ends[1]);
  Pump pump = relay_stdout_to(writer.get());
  reader.reset();
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends2) { put(ends2.stdout_write.get(), "x"); });
  EXPECT_TRUE(run_pump(pump).relay_lost);
  wait_for(child);
}

TEST(Relay, TakesAReaderThatLeavesWhileTheTargetIsFullForLost) {
  sys::PipeEnds to = target_pipe();
  Pump pump = relay_stdout_to(to.write.get());
  const pid_t child = fork_writer(
      pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 200 * 1024); });
  EXPECT_TRUE(run_pump(pump, 50).reader_slow);
  to.read.reset();
  const PumpEvent event = run_pump(pump);
  EXPECT_TRUE(event.relay_lost);
  EXPECT_TRUE(event.streams_closed);
  EXPECT_FALSE(event.reader_slow);
  wait_for(child);
}

TEST(Relay, ReportsATargetThatIsOutOfSpace) {
  const Fd full(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  Pump pump = relay_stdout_to(full.get());
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put(ends.stdout_write.get(), "x"); });
  EXPECT_TRUE(run_pump(pump).relay_lost);
  EXPECT_EQ(pump.finish().stdout_stream.relay_errno, ENOSPC);
  wait_for(child);
}

TEST(Relay, RefusesATargetThatCannotBeWrittenTo) {
  const Fd read_only(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  const auto refused =
      Pump::create({.stderr_sink = RelaySink{read_only.get()}, .output_bytes = Limit{}});
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("relay stderr: "), std::string::npos)
      << refused.error().message;
  const Fd writable(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  EXPECT_TRUE(Pump::create({.stderr_sink = RelaySink{writable.get()}, .output_bytes = Limit{}}));
}

// The positive control of the tests above: without the block, a write to a pipe without a reader
// raises SIGPIPE.
TEST(WriteSignalBlockDeathTest, IsWhatKeepsTheProgramAlive) {
  EXPECT_EXIT(
      {
        sys::PipeEnds to = sys::pipe().value();
        to.read.reset();
        (void)!::write(to.write.get(), "x", 1);
        ::_exit(0);
      },
      ::testing::KilledBySignal(SIGPIPE), "");
}

TEST(WriteSignalBlock, LeavesASignalThatWasPendingBeforePending) {
  sigset_t pipe_only, previous;
  ::sigemptyset(&pipe_only);
  ::sigaddset(&pipe_only, SIGPIPE);
  ::pthread_sigmask(SIG_BLOCK, &pipe_only, &previous);
  { const sys::WriteSignalBlock block; }
  EXPECT_FALSE(sigpipe_is_pending());
  ::pthread_kill(::pthread_self(), SIGPIPE);
  { const sys::WriteSignalBlock block; }
  EXPECT_TRUE(sigpipe_is_pending());
  const timespec no_wait{};
  EXPECT_EQ(::sigtimedwait(&pipe_only, nullptr, &no_wait), SIGPIPE);
  ::pthread_sigmask(SIG_SETMASK, &previous, nullptr);
}

TEST(WriteSignalBlock, RestoresTheMask) {
  sigset_t before, after;
  ::pthread_sigmask(SIG_BLOCK, nullptr, &before);
  { const sys::WriteSignalBlock block; }
  ::pthread_sigmask(SIG_BLOCK, nullptr, &after);
  EXPECT_EQ(::sigismember(&before, SIGPIPE), ::sigismember(&after, SIGPIPE));
  EXPECT_EQ(::sigismember(&after, SIGPIPE), 0);
}

}  // namespace
}  // namespace bawn::linux_
