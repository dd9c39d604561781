#include "backend/posix/pump.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <string>

#include "backend/posix/scratch.h"
#include "capture/redactor.h"
#include "sys/pipe.h"
#include "sys/write_signals.h"

namespace bawn::posix {
namespace {

PumpOptions captured(Limit limit = {}) {
  return {.stdout_sink = {.kind = SinkKind::capture},
          .stderr_sink = {.kind = SinkKind::capture},
          .output_bytes = limit};
}

// Writes everything while the pump reads it.
void write_through(Pump& pump, int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t put = ::write(fd, text.data(), std::min<std::size_t>(text.size(), 4096));
    ASSERT_GT(put, 0);
    text.remove_prefix(static_cast<std::size_t>(put));
    pump.step();
  }
}

TEST(PosixPump, CapturesBothStreamsApart) {
  Pump pump = std::move(Pump::create(captured())).value();
  ChildEnds ends = pump.take_child_ends();
  write_through(pump, ends.stdout_write.get(), "out");
  write_through(pump, ends.stderr_write.get(), "err");
  EXPECT_FALSE(pump.step().streams_closed);
  ends = {};
  EXPECT_TRUE(pump.step().streams_closed);
  const PumpedStreams output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept, "out");
  EXPECT_EQ(output.stderr_stream.kept, "err");
  EXPECT_TRUE(output.stdout_stream.ended);
}

TEST(PosixPump, CountsWhatIsBeyondTheLimitAndKeepsTheRest) {
  Pump pump = std::move(Pump::create(captured(10))).value();
  ChildEnds ends = pump.take_child_ends();
  write_through(pump, ends.stdout_write.get(), "0123456789");
  EXPECT_FALSE(pump.step().output_exceeded);
  write_through(pump, ends.stderr_write.get(), "more");
  EXPECT_TRUE(pump.step().output_exceeded);
  const PumpedStreams output = pump.finish();
  EXPECT_EQ(output.stdout_stream.kept, "0123456789");
  EXPECT_EQ(output.stderr_stream.kept, "");
  EXPECT_EQ(output.stderr_stream.bytes, 4U);
  EXPECT_TRUE(output.stderr_stream.truncated);
}

TEST(PosixPump, RedactsWhatItKeeps) {
  Redactor redactor({"correct-horse"});
  PumpOptions options = captured();
  options.stdout_sink.filter = &redactor;
  Pump pump = std::move(Pump::create(options)).value();
  ChildEnds ends = pump.take_child_ends();
  write_through(pump, ends.stdout_write.get(), "a correct-");
  write_through(pump, ends.stdout_write.get(), "horse");
  ends = {};
  pump.step();
  EXPECT_EQ(pump.finish().stdout_stream.kept, "a [redacted:literal]");
}

TEST(PosixPump, RelaysToAFileWithinTheLimit) {
  const Scratch scratch;
  const Fd file(::open(scratch.file("out").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_TRUE(file);
  PumpOptions options;
  options.stdout_sink = {.kind = SinkKind::relay, .target = file.get()};
  options.output_bytes = 5;
  Pump pump = std::move(Pump::create(options)).value();
  ChildEnds ends = pump.take_child_ends();
  EXPECT_FALSE(ends.stderr_write) << "it has the caller's own";
  write_through(pump, ends.stdout_write.get(), "too much");
  EXPECT_EQ(read_text(scratch.file("out")), "too m");
  EXPECT_EQ(pump.finish().stdout_stream.kept, "");
}

TEST(PosixPump, ARelayWhoseReaderIsSlowMakesOnlyTheCommandWait) {
  sys::PipeEnds reader = std::move(sys::pipe()).value();
  PumpOptions options;
  options.stdout_sink = {.kind = SinkKind::relay, .target = reader.write.get()};
  options.output_bytes = std::nullopt;
  Pump pump = std::move(Pump::create(options)).value();
  const ChildEnds ends = pump.take_child_ends();
  ASSERT_TRUE(sys::set_nonblocking(ends.stdout_write.get()));
  const std::string piece(4096, 'x');
  bool slow = false;
  for (int i = 0; i < 1000 && !slow; ++i) {
    (void)!::write(ends.stdout_write.get(), piece.data(), piece.size());
    slow = pump.step().reader_slow;
  }
  EXPECT_TRUE(slow);
  std::vector<pollfd> waits;
  pump.add_waits(waits);
  ASSERT_EQ(waits.size(), 1U);
  EXPECT_EQ(waits[0].fd, reader.write.get()) << "for the reader, not for more to read";
}

TEST(PosixPump, ARelayWhoseReaderIsGoneClosesTheStreamAndRaisesNothing) {
  sys::PipeEnds reader = std::move(sys::pipe()).value();
  reader.read.reset();
  PumpOptions options;
  options.stdout_sink = {.kind = SinkKind::relay, .target = reader.write.get()};
  options.output_bytes = std::nullopt;
  Pump pump = std::move(Pump::create(options)).value();
  const ChildEnds ends = pump.take_child_ends();
  ASSERT_EQ(::write(ends.stdout_write.get(), "x", 1), 1);
  EXPECT_TRUE(pump.step().streams_closed);
  EXPECT_EQ(pump.finish().stdout_stream.relay_errno, EPIPE);
  EXPECT_EQ(sys::write_quietly(ends.stdout_write.get(), "y"), -1) << "the command learns it too";
  EXPECT_EQ(errno, EPIPE);
}

TEST(PosixPump, FeedsTextOfAnySizeToACommandThatNeedNotReadIt) {
  const std::string text(300'000, 'i');
  PumpOptions options = captured();
  options.stdin_text = text;
  Pump pump = std::move(Pump::create(options)).value();
  ChildEnds ends = pump.take_child_ends();
  ASSERT_TRUE(sys::set_nonblocking(ends.stdin_read.get()));
  std::string got;
  std::string chunk(65536, '\0');
  for (ssize_t n = -1; n != 0;) {
    pump.step();
    n = ::read(ends.stdin_read.get(), chunk.data(), chunk.size());
    if (n > 0) got.append(chunk, 0, static_cast<std::size_t>(n));
  }
  EXPECT_EQ(got, text);

  Pump unread = std::move(Pump::create(options)).value();
  unread.step();
  ends = unread.take_child_ends();
  ends.stdin_read.reset();
  unread.step();
  ends = {};
  EXPECT_TRUE(unread.step().streams_closed);
}

TEST(PosixPump, WithoutTextTheInputIsEmpty) {
  Pump pump = std::move(Pump::create(captured())).value();
  const ChildEnds ends = pump.take_child_ends();
  char byte = 0;
  EXPECT_EQ(::read(ends.stdin_read.get(), &byte, 1), 0);
}

}  // namespace
}  // namespace bawn::posix
