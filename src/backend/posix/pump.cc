#include "backend/posix/pump.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "sys/call.h"
#include "sys/open.h"
#include "sys/pipe.h"
#include "sys/write_signals.h"

namespace bawn::posix {
namespace {

// Limits the work of one step for one stream. Counts reads, not bytes: the command decides how few
// bytes a read returns.
constexpr int kMaxStepReads = 8;

bool has_room(int fd) {
  pollfd ask{.fd = fd, .events = POLLOUT, .revents = 0};
  // An error counts as room: the write then reports it.
  return sys::retried([&] { return ::poll(&ask, 1, 0); }) != 0;
}

bool is_regular(int fd) {
  struct stat facts {};
  return ::fstat(fd, &facts) == 0 && S_ISREG(facts.st_mode);
}

class Stream {
 public:
  Stream(const OutputSink& sink, Fd source)
      : source_(std::move(source)),
        intake_(sink.filter, sink.consumer),
        target_(sink.kind == SinkKind::relay ? sink.target : -1),
        target_is_regular_(target_ >= 0 && is_regular(target_)) {}

  void add_waits(std::vector<pollfd>& waits) const {
    if (!pending_.empty()) {
      waits.push_back({.fd = target_, .events = POLLOUT, .revents = 0});
    } else if (source_) {
      waits.push_back({.fd = source_.get(), .events = POLLIN, .revents = 0});
    }
  }

  // Does not read while the target is full: the pipe fills, and the command blocks as it would with
  // any slow reader.
  void move(OutputStock& stock, std::string& chunk) {
    flush();
    for (int reads = 0; source_ && pending_.empty() && reads < kMaxStepReads; ++reads) {
      const auto got =
          sys::retried([&] { return ::read(source_.get(), chunk.data(), chunk.size()); });
      if (got == -1 && errno == EAGAIN) return;
      if (got <= 0) {
        if (got == 0) intake_.end();
        source_.reset();
        return;
      }
      take_in(stock, std::string_view(chunk).substr(0, static_cast<std::size_t>(got)));
    }
  }

  [[nodiscard]] bool done() const { return !source_ && pending_.empty(); }
  [[nodiscard]] bool reader_slow() const { return !pending_.empty(); }

  PumpedStream finish(OutputStock& stock) {
    if (!pending_.empty()) intake_.lose_unread(pending_.size());
    source_.reset();
    pending_.clear();
    return intake_.finish(stock);
  }

 private:
  void take_in(OutputStock& stock, std::string_view bytes) {
    const std::string_view admitted = intake_.admit(stock, bytes);
    if (target_ < 0) return intake_.keep(stock, admitted);
    pending_.assign(admitted);
    flush();
  }

  // Other processes share the target's open file description (a shell, a pipeline), so O_NONBLOCK
  // must not be set on it. A pipe that polls writable takes PIPE_BUF bytes without blocking; a
  // regular file takes everything.
  void flush() {
    while (!pending_.empty()) {
      if (!target_is_regular_ && !has_room(target_)) return;
      const std::string_view piece = target_is_regular_
                                         ? std::string_view(pending_)
                                         : std::string_view(pending_).substr(0, PIPE_BUF);
      const ssize_t put = sys::write_quietly(target_, piece);
      if (put == -1 && errno == EAGAIN && !target_is_regular_) return;
      if (put == -1) return lose_target(errno);
      pending_.erase(0, static_cast<std::size_t>(put));
    }
  }

  // As in a shell pipeline: closing the source gives the command SIGPIPE or EPIPE at its next
  // write.
  void lose_target(int error) {
    intake_.lose(error);
    pending_.clear();
    source_.reset();
  }

  Fd source_;
  Intake intake_;
  int target_;
  bool target_is_regular_;
  std::string pending_;  // read, but not yet written to the target; at most one chunk
};

// Writes the request's text to the command's stdin. The command need not read it.
class Feed {
 public:
  Feed(Fd sink, std::string text) : sink_(std::move(sink)), text_(std::move(text)) {}

  void add_waits(std::vector<pollfd>& waits) const {
    if (sink_) waits.push_back({.fd = sink_.get(), .events = POLLOUT, .revents = 0});
  }

  void move() {
    while (sink_ && given_ < text_.size()) {
      const ssize_t put = sys::write_quietly(sink_.get(), std::string_view(text_).substr(given_));
      if (put == -1 && errno == EAGAIN) return;
      if (put == -1) return sink_.reset();
      given_ += static_cast<std::size_t>(put);
    }
    sink_.reset();
  }

 private:
  Fd sink_;
  std::string text_;
  std::size_t given_ = 0;
};

}  // namespace

struct Pump::State {
  ChildEnds child;
  OutputStock stock;
  std::optional<Stream> out;
  std::optional<Stream> err;
  std::optional<Feed> feed;
  std::string chunk = std::string(kPumpChunk, '\0');
};

namespace {

Result<Fd> open_stream(const OutputSink& sink, std::optional<Stream>& stream) {
  if (sink.kind == SinkKind::none) return Fd();
  BAWN_ASSIGN(sys::PipeEnds ends, sys::pipe());
  BAWN_TRY(sys::set_nonblocking(ends.read.get()));
  stream.emplace(sink, std::move(ends.read));
  return std::move(ends.write);
}

Result<Fd> open_empty() {
  BAWN_ASSIGN(Fd nothing, sys::open("/dev/null", O_RDONLY));
  return sys::above_stdio(std::move(nothing));
}

Result<Fd> open_input(const PumpOptions& options, std::optional<Feed>& feed) {
  if (!options.own_stdin) return Fd();
  if (!options.stdin_text) return open_empty();
  BAWN_ASSIGN(sys::PipeEnds ends, sys::pipe());
  BAWN_TRY(sys::set_nonblocking(ends.write.get()));
  feed.emplace(std::move(ends.write), *options.stdin_text);
  return std::move(ends.read);
}

}  // namespace

Result<Pump> Pump::create(const PumpOptions& options) {
  auto state = make_hidden<State>(State{.child = {}, .stock = OutputStock(options.output_bytes)});
  BAWN_ASSIGN(state->child.stdin_read, open_input(options, state->feed));
  BAWN_ASSIGN(state->child.stdout_write, open_stream(options.stdout_sink, state->out));
  BAWN_ASSIGN(state->child.stderr_write, open_stream(options.stderr_sink, state->err));
  return Pump(std::move(state));
}

ChildEnds Pump::take_child_ends() { return std::exchange(state_->child, {}); }

void Pump::add_waits(std::vector<pollfd>& waits) const {
  if (state_->feed) state_->feed->add_waits(waits);
  if (state_->out) state_->out->add_waits(waits);
  if (state_->err) state_->err->add_waits(waits);
}

PumpStanding Pump::step() {
  if (state_->feed) state_->feed->move();
  PumpStanding event{.streams_closed = true};
  for (auto* stream : {&state_->out, &state_->err}) {
    if (!*stream) continue;
    (*stream)->move(state_->stock, state_->chunk);
    event.add(**stream);
  }
  event.output_exceeded = state_->stock.quota.exceeded();
  return event;
}

PumpedStreams Pump::finish() {
  const auto finished = [&](std::optional<Stream>& stream) {
    return stream ? stream->finish(state_->stock) : PumpedStream{};
  };
  PumpedStreams output{.stdout_stream = finished(state_->out),
                       .stderr_stream = finished(state_->err)};
  state_.reset();
  return output;
}

}  // namespace bawn::posix
