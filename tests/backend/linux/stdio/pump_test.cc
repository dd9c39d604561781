#include "backend/linux/stdio/pump.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

#include "backend/linux/stdio/writer.h"

namespace bawn::linux_ {
namespace {

using namespace testing;

Pump make_pump(PumpOptions options) { return Pump::create(std::move(options)).value(); }

TEST(Pump, CapturesBothStreamsApart) {
  Pump pump = make_pump({.output_bytes = Limit{}});
  const pid_t child = fork_writer(pump, [](const ChildEnds& ends) {
    put(ends.stdout_write.get(), "to out");
    put(ends.stderr_write.get(), "to err");
  });
  const PumpEvent event = run_pump(pump);
  EXPECT_TRUE(event.streams_closed);
  EXPECT_FALSE(event.output_exceeded);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept, "to out");
  EXPECT_EQ(output.stderr_stream.kept, "to err");
  EXPECT_EQ(output.stdout_stream.bytes, 6u);
  EXPECT_FALSE(output.stdout_stream.truncated);
  EXPECT_TRUE(output.stdout_stream.ended);
  EXPECT_EQ(wait_for(child), 0);
}

TEST(Pump, KeepsOutputUpToExactlyTheQuota) {
  Pump pump = make_pump({.output_bytes = 100'000});
  const pid_t child = fork_writer(pump, [](const ChildEnds& ends) {
    put_many(ends.stdout_write.get(), 60'000);
    put_many(ends.stderr_write.get(), 40'000);
  });
  EXPECT_FALSE(run_pump(pump).output_exceeded);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept.size() + output.stderr_stream.kept.size(), 100'000u);
  EXPECT_FALSE(output.stdout_stream.truncated || output.stderr_stream.truncated);
  wait_for(child);
}

TEST(Pump, ReportsOneByteOverTheQuotaAndKeepsTheRest) {
  Pump pump = make_pump({.output_bytes = 100'000});
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 100'001); });
  EXPECT_TRUE(run_pump(pump).output_exceeded);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept.size(), 100'000u);
  EXPECT_EQ(output.stdout_stream.bytes, 100'001u);
  EXPECT_TRUE(output.stdout_stream.truncated);
  EXPECT_FALSE(output.stderr_stream.truncated);
  wait_for(child);
}

TEST(Pump, WithoutAnExplicitLimitAdmitsNothing) {
  Pump pump = make_pump({});
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put(ends.stdout_write.get(), "x"); });
  EXPECT_TRUE(run_pump(pump).output_exceeded);
  EXPECT_EQ(pump.finish().stdout_stream.kept, "");
  wait_for(child);
}

TEST(Pump, DrainsAFloodOnBothStreamsSoThatTheChildDoesNotBlock) {
  constexpr std::size_t kEach = 8 * 1024 * 1024;
  Pump pump = make_pump({.output_bytes = 1000});
  const pid_t child = fork_writer(pump, [](const ChildEnds& ends) {
    for (std::size_t i = 0; i < kEach; i += 4096) {
      put_many(ends.stdout_write.get(), 4096);
      put_many(ends.stderr_write.get(), 4096);
    }
  });
  EXPECT_TRUE(run_pump(pump).streams_closed);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.bytes, kEach);
  EXPECT_EQ(output.stderr_stream.bytes, kEach);
  EXPECT_EQ(output.stdout_stream.kept.size() + output.stderr_stream.kept.size(), 1000u);
  EXPECT_EQ(wait_for(child), 0);
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
constexpr bool kMemoryIsMeasurable = false;  // ASan keeps freed memory on purpose
#else
constexpr bool kMemoryIsMeasurable = true;
#endif

// The peak resident memory of this process since forget_peak().
long peak_kib() {
  const Fd status(::open("/proc/self/status", O_RDONLY | O_CLOEXEC));
  char text[8192] = {};
  (void)!::read(status.get(), text, sizeof text - 1);
  const char* line = std::strstr(text, "VmHWM:");
  return line == nullptr ? -1 : std::strtol(line + 6, nullptr, 10);
}

bool forget_peak() {
  ::malloc_trim(0);  // frees what earlier tests left
  const Fd refs(::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC));
  return ::write(refs.get(), "5", 1) == 1;
}

TEST(Pump, BoundsItsMemoryEvenWhereOutputIsUnlimited) {
  constexpr std::size_t kEach = 32 * 1024 * 1024;
  Pump pump = make_pump({.output_bytes = Limit{}});
  ASSERT_TRUE(forget_peak());
  const long before = peak_kib();
  ASSERT_GT(before, 0);
  const pid_t child = fork_writer(pump, [](const ChildEnds& ends) {
    put_many(ends.stdout_write.get(), kEach);
    put_many(ends.stderr_write.get(), kEach);
  });
  EXPECT_FALSE(run_pump(pump).output_exceeded);
  const PumpedOutput output = pump.finish();
  const long grown = peak_kib() - before;
  EXPECT_EQ(output.stdout_stream.bytes + output.stderr_stream.bytes, 2 * kEach);
  EXPECT_EQ(output.stdout_stream.kept.size() + output.stderr_stream.kept.size(), kMaxKeptBytes);
  EXPECT_TRUE(output.stdout_stream.truncated && output.stderr_stream.truncated);
  if (kMemoryIsMeasurable) {
    EXPECT_LE(grown, static_cast<long>(kMaxKeptBytes / 1024 + 2048));
    EXPECT_GE(grown, static_cast<long>(kMaxKeptBytes / 1024 / 2))
        << "it is really memory that is measured";
  }
  wait_for(child);
}

TEST(Pump, MovesABoundedAmountInOneStep) {
  Pump pump = make_pump({.output_bytes = Limit{}});
  const pid_t child = fork_writer(pump, [](const ChildEnds& ends) {
    put_many(ends.stdout_write.get(), 4 * 1024 * 1024);
    put_many(ends.stderr_write.get(), 4 * 1024 * 1024);
  });
  std::uint64_t most = 0;
  for (PumpEvent event; !event.streams_closed;) {
    ASSERT_TRUE(ready(pump, 5000));
    event = pump.step().value();
    most = std::max(most, event.bytes);
  }
  EXPECT_GT(most, 0u);
  EXPECT_LE(most, 2 * (kMaxStepBytes + kPumpChunk));
  wait_for(child);
}

// A pipe in packet mode (O_DIRECT) returns one written byte for each read. Half a million reads
// would make one long step.
TEST(Pump, MakesABoundedNumberOfReadsInOneStep) {
  Pump pump = make_pump({.output_bytes = Limit{}});
  const ChildEnds ends = pump.take_child_ends();
  ASSERT_EQ(fcntl(ends.stdout_write.get(), F_SETFL, O_DIRECT | O_NONBLOCK), 0);
  std::size_t written = 0;
  while (write(ends.stdout_write.get(), "x", 1) == 1) ++written;
  const std::size_t most = kMaxStepBytes / kPumpChunk;
  ASSERT_GT(written, most);
  EXPECT_LE(pump.step().value().bytes, most);
}

TEST(Pump, ReportsNoEndWhileAGrandchildHoldsThePipe) {
  Pump pump = make_pump({.output_bytes = Limit{}});
  int hold[2];
  ASSERT_EQ(::pipe2(hold, O_CLOEXEC), 0);
  const pid_t child = fork_writer(pump, [&](const ChildEnds& ends) {
    put(ends.stdout_write.get(), "early");
    ::close(hold[1]);
    if (::fork() == 0) {
      char wait = 0;
      (void)!::read(hold[0], &wait, 1);
    }
  });
  ::close(hold[0]);
  EXPECT_EQ(wait_for(child), 0);
  const PumpEvent event = run_pump(pump, 100);
  EXPECT_FALSE(event.streams_closed);
  EXPECT_FALSE(ready(pump, 0)) << "an open pipe without data is not an event";
  ::close(hold[1]);
  EXPECT_TRUE(run_pump(pump).streams_closed) << "and once the grandchild is gone the end is seen";
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept, "early");
  EXPECT_TRUE(output.stdout_stream.ended);
}

TEST(Pump, ReturnsWhatItHasWhenThePipeIsHeldOpenForever) {
  Pump pump = make_pump({.output_bytes = Limit{}});
  const ChildEnds held = pump.take_child_ends();
  put(held.stdout_write.get(), "so far");
  (void)run_pump(pump, 50);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept, "so far");
  EXPECT_FALSE(output.stdout_stream.ended);
}

TEST(Pump, GivesTheChildItsInputAndThenTheEnd) {
  const std::string text(300'000, 'i');
  Pump pump = make_pump({.stdin_source = TextSource{text}, .output_bytes = Limit{}});
  const ChildEnds ends = pump.take_child_ends();
  std::string got(text.size() + 10, '\0');
  std::size_t size = 0;
  for (ssize_t n = 0;
       (n = ::read(ends.stdin_read.get(), got.data() + size, got.size() - size)) > 0;) {
    size += static_cast<std::size_t>(n);
  }
  got.resize(size);
  EXPECT_EQ(got, text);
}

TEST(Pump, GivesInputThatCannotBeWrittenToOrExecuted) {
  Pump pump = make_pump({.stdin_source = TextSource{"#!/bin/sh\n"}, .output_bytes = Limit{}});
  const ChildEnds ends = pump.take_child_ends();
  EXPECT_EQ(::pwrite(ends.stdin_read.get(), "x", 1, 0), -1);
  EXPECT_EQ(::ftruncate(ends.stdin_read.get(), 0), -1);
  struct stat facts {};
  ASSERT_EQ(::fstat(ends.stdin_read.get(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0444u);
  EXPECT_EQ(facts.st_size, 10);
}

TEST(Pump, GivesAnEmptyInputWhereThereIsNoText) {
  Pump pump = make_pump({.output_bytes = Limit{}});
  const ChildEnds ends = pump.take_child_ends();
  char byte = 0;
  EXPECT_EQ(::read(ends.stdin_read.get(), &byte, 1), 0);
}

TEST(Pump, HandsOutEndsThatCloseOnExecAndBlock) {
  Pump pump = make_pump({.stdin_source = TextSource{"x"}, .output_bytes = Limit{}});
  const ChildEnds ends = pump.take_child_ends();
  for (const int fd : {ends.stdin_read.get(), ends.stdout_write.get(), ends.stderr_write.get()}) {
    EXPECT_EQ(::fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
    EXPECT_EQ(::fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
  }
  EXPECT_FALSE(pump.take_child_ends().stdout_write) << "only once";
}

// A process that was started with stdin closed gets descriptor 0 for the next file it opens.
TEST(Pump, HandsOutEndsThatAreNotStandardDescriptors) {
  Fd saved(::fcntl(0, F_DUPFD_CLOEXEC, 3));
  ::close(0);
  {
    Pump pump = make_pump({.output_bytes = Limit{}});
    const ChildEnds ends = pump.take_child_ends();
    for (const Fd* fd : {&ends.stdin_read, &ends.stdout_write, &ends.stderr_write})
      EXPECT_GE(fd->get(), 3);
  }
  if (saved) ::dup2(saved.get(), 0);
}

class Shouting : public ByteFilter {
 public:
  void feed(std::string_view chunk, std::string& out) override {
    for (const char c : chunk) out.append(3, c);
  }
  void finish(std::string& out) override { out += "!"; }
};

TEST(Pump, KeepsWhatTheFilterMakesOfAStream) {
  Shouting filter;
  Pump pump = make_pump({.stdout_sink = CaptureSink{&filter}, .output_bytes = 2});
  const pid_t child =
      fork_writer(pump, [](const ChildEnds& ends) { put(ends.stdout_write.get(), "abc"); });
  (void)run_pump(pump);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept, "aaabbb!")
      << "the quota counts what was written, not what was made of it";
  EXPECT_EQ(output.stderr_stream.kept, "");
  wait_for(child);
}

TEST(Pump, BoundsItsMemoryAlsoWhereTheFilterMakesOutputLonger) {
  Shouting filter;
  Pump pump = make_pump({.stdout_sink = CaptureSink{&filter}, .output_bytes = Limit{}});
  const pid_t child = fork_writer(
      pump, [](const ChildEnds& ends) { put_many(ends.stdout_write.get(), 8 * 1024 * 1024); });
  (void)run_pump(pump);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept.size(), kMaxKeptBytes);
  EXPECT_TRUE(output.stdout_stream.truncated);
  wait_for(child);
}

TEST(Pump, LeavesNoDescriptorBehind) {
  const int before = count_open_fds();
  {
    Pump finished = make_pump(
        {.stdout_sink = RelaySink{1}, .stdin_source = TextSource{"x"}, .output_bytes = Limit{}});
    EXPECT_GT(count_open_fds(), before);
    (void)finished.take_child_ends();
    (void)run_pump(finished);
    (void)finished.finish();
    EXPECT_EQ(count_open_fds(), before);
    const Pump dropped = make_pump({.stderr_sink = RelaySink{2}, .output_bytes = Limit{}});
  }
  EXPECT_FALSE(Pump::create({.stderr_sink = RelaySink{-1}, .output_bytes = Limit{}}));
  EXPECT_EQ(count_open_fds(), before);
}

struct TerminalPair {
  Fd master;
  Fd slave;
};
TerminalPair open_terminal() {
  Fd master(posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK));
  unlockpt(master.get());
  Fd slave(open(ptsname(master.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  return {std::move(master), std::move(slave)};
}

TEST(Pump, WaitsForItsTerminalAndReadsItToTheEnd) {
  Pump pump = make_pump({.stdout_sink = NoSink{},
                         .stderr_sink = NoSink{},
                         .terminal_sink = CaptureSink{},
                         .output_bytes = Limit{}});
  const ChildEnds ends = pump.take_child_ends();
  EXPECT_FALSE(ends.stdout_write || ends.stderr_write)
      << "no pipe is made for a stream without a sink";
  EXPECT_FALSE(pump.step().value().streams_closed) << "the terminal is still to come";
  TerminalPair terminal = open_terminal();
  ASSERT_TRUE(pump.connect_terminal(std::move(terminal.master)));
  put(terminal.slave.get(), "line\n");
  terminal.slave.reset();
  EXPECT_TRUE(run_pump(pump).streams_closed);
  const PumpedOutput output = pump.finish();
  EXPECT_EQ(output.terminal_stream.kept, "line\r\n");
  EXPECT_TRUE(output.terminal_stream.ended);
  EXPECT_EQ(output.stdout_stream.bytes, 0u);
}

TEST(Pump, WithoutASinkForATerminalTakesNone) {
  Pump pump = make_pump({.output_bytes = Limit{}});
  EXPECT_FALSE(pump.connect_terminal(open_terminal().master));
}

}  // namespace
}  // namespace bawn::linux_
