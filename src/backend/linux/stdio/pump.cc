#include "backend/linux/stdio/pump.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "backend/linux/stdio/input_stream.h"
#include "backend/linux/stdio/output_stream.h"
#include "backend/linux/stdio/stdio_file.h"
#include "sys/call.h"
#include "sys/event_poll.h"
#include "sys/open.h"
#include "sys/pipe.h"
#include "sys/write_signals.h"

namespace bawn::linux_ {

struct Pump::State {
  Fd epoll;
  ChildEnds child;
  PumpStock stock;
  std::optional<InputStream> in;
  Fd input;  // of a PipeSource: our end
  std::optional<OutputStream> out;
  std::optional<OutputStream> err;
  std::optional<OutputStream> terminal;

  // Calls visit(stream) for each output stream that exists.
  template <class Visit>
  Result<void> for_each(Visit visit) {
    for (auto* stream : {&out, &err, &terminal}) {
      if (*stream) BAWN_TRY(visit(**stream));
    }
    return {};
  }
};

namespace {

// A text is put into a memfd before the child starts, and nothing is written while it runs. So a
// child that does not read its input can neither block the supervisor nor send it a SIGPIPE.
Result<Fd> open_stdin(const PumpStock& stock, const InputSource& source,
                      std::optional<InputStream>& stream, Fd& write_end) {
  if (std::holds_alternative<PipeSource>(source)) {
    BAWN_ASSIGN(sys::PipeEnds ends, sys::pipe());
    BAWN_TRY(sys::set_nonblocking(ends.write.get()));
    write_end = std::move(ends.write);
    return std::move(ends.read);
  }
  if (const auto* text = std::get_if<TextSource>(&source)) {
    BAWN_ASSIGN(Fd input, sys::sealed_memory_file("stdin", text->text));
    return sys::above_stdio(std::move(input));
  }
  if (const auto* relay = std::get_if<RelaySource>(&source)) {
    Fd child_end;
    BAWN_ASSIGN(stream, InputStream::create(relay->source, relay->moves_position, child_end));
    BAWN_TRY(stream->connect(stock.epoll));
    return child_end;
  }
  return std::holds_alternative<EmptySource>(source) ? open_empty_input() : Fd();
}

Result<sys::PipeEnds> open_output_pipe() {
  BAWN_ASSIGN(sys::PipeEnds ends, sys::pipe());
  sys::grow_pipe(ends.read.get(), kPipeBytes);
  BAWN_TRY(sys::set_nonblocking(ends.read.get()));
  return ends;
}

// Makes the stream and returns the child's end of its pipe; neither without a sink.
Result<Fd> open_stream(const PumpStock& stock, const Sink& sink,
                       std::optional<OutputStream>& stream) {
  if (std::holds_alternative<NoSink>(sink) || std::holds_alternative<StdoutSink>(sink)) return Fd();
  BAWN_ASSIGN(sys::PipeEnds ends, open_output_pipe());
  BAWN_ASSIGN(stream, OutputStream::create(sink));
  BAWN_TRY(stream->connect(stock, std::move(ends.read)));
  return std::move(ends.write);
}

}  // namespace

Result<Pump> Pump::create(const PumpOptions& options) {
  BAWN_ASSIGN(Fd epoll, sys::epoll_create());
  PumpStock stock{.epoll = epoll.get(), .output = OutputStock(options.output_bytes)};
  std::optional<InputStream> in;
  Fd input;
  auto in_end = open_stdin(stock, options.stdin_source, in, input);
  if (!in_end) return in_end.error().within("relay stdin");
  std::optional<OutputStream> out;
  std::optional<OutputStream> err;
  std::optional<OutputStream> terminal;
  auto out_end = open_stream(stock, options.stdout_sink, out);
  if (!out_end) return out_end.error().within("relay stdout");
  auto err_end = open_stream(stock, options.stderr_sink, err);
  if (!err_end) return err_end.error().within("relay stderr");
  if (std::holds_alternative<StdoutSink>(options.stderr_sink))
    err_end = sys::duplicate(out_end.value().get());
  if (!err_end) return err_end.error().within("relay stderr with stdout");
  if (!std::holds_alternative<NoSink>(options.terminal_sink)) {
    auto made = OutputStream::create(options.terminal_sink);
    if (!made) return made.error().within("relay the terminal");
    terminal = std::move(made).value();
  }
  return Pump(make_hidden<State>(State{
      .epoll = std::move(epoll),
      .child = {std::move(in_end).value(), std::move(out_end).value(), std::move(err_end).value()},
      .stock = std::move(stock),
      .in = std::move(in),
      .input = std::move(input),
      .out = std::move(out),
      .err = std::move(err),
      .terminal = std::move(terminal)}));
}

ChildEnds Pump::take_child_ends() { return std::exchange(state_->child, {}); }

Result<std::size_t> Pump::write_input(std::string_view bytes) {
  if (!state_->input)
    return unsupported_error("stdin is not a pipe that can be written to, or is closed");
  const ssize_t put = sys::write_quietly(state_->input.get(), bytes);
  if (put == -1 && errno == EAGAIN) return std::size_t{0};
  if (put == -1) return system_error(errno, "write to the command's stdin");
  return static_cast<std::size_t>(put);
}

void Pump::close_input() { state_->input.reset(); }

int Pump::poll_fd() const { return state_->epoll.get(); }

Result<void> Pump::connect_terminal(Fd master) {
  if (!state_->terminal) return invalid_error("the pump has no sink for a terminal");
  return state_->terminal->connect(state_->stock, std::move(master));
}

bool Pump::has_open_streams() const {
  const auto is_open = [](const std::optional<OutputStream>& stream) {
    return stream && !stream->done();
  };
  return is_open(state_->out) || is_open(state_->err) || is_open(state_->terminal);
}

Result<PumpEvent> Pump::step() {
  State& state = *state_;
  PumpEvent event;
  if (state.in) BAWN_TRY(state.in->move(state.stock.epoll, state.stock.chunk.get(), kPumpChunk));
  event.streams_closed = true;
  BAWN_TRY(state.for_each([&](OutputStream& stream) -> Result<void> {
    BAWN_ASSIGN(const std::uint64_t bytes, stream.move(state.stock));
    event.bytes += bytes;
    event.add(stream);
    event.relay_lost = event.relay_lost || stream.relay_lost();
    return {};
  }));
  event.output_exceeded = state.stock.output.quota.exceeded();
  return event;
}

PumpedOutput Pump::finish() {
  State& state = *state_;
  const auto finished = [&](std::optional<OutputStream>& stream) {
    return stream ? stream->finish(state.stock) : PumpedStream{};
  };
  if (state.in) state.in->finish();
  PumpedOutput output;
  output.stdout_stream = finished(state.out);
  output.stderr_stream = finished(state.err);
  output.terminal_stream = finished(state.terminal);
  state_.reset();
  return output;
}

}  // namespace bawn::linux_
