#include "capture/pump.h"

#include <fcntl.h>

#include <algorithm>
#include <utility>

#include "capture/output_stream.h"
#include "sys/event_poll.h"
#include "sys/open.h"
#include "sys/pipe.h"

namespace bawn {

struct Pump::State {
  Fd epoll;
  ChildEnds child;
  PumpStock stock;
  OutputStream out;
  OutputStream err;
};

namespace {

// Text lies in memory before the child starts: nothing has to be written while it runs, so a child that does
// not read its input can neither block the supervisor nor send it a SIGPIPE.
Result<Fd> open_stdin(const std::optional<std::string>& text) {
  BAWN_ASSIGN(Fd input, text ? sys::sealed_memory_file("stdin", *text) : sys::open("/dev/null", O_RDONLY));
  return sys::above_stdio(std::move(input));
}

std::size_t most_kept(Limit limit) {
  return static_cast<std::size_t>(std::min<std::uint64_t>(limit.value_or(kMaxKeptBytes), kMaxKeptBytes));
}

Result<sys::PipeEnds> open_output_pipe() {
  BAWN_ASSIGN(sys::PipeEnds ends, sys::pipe());
  BAWN_ASSIGN(ends.write, sys::above_stdio(std::move(ends.write)));
  sys::grow_pipe(ends.read.get(), kPipeBytes);
  BAWN_TRY(sys::set_nonblocking(ends.read.get()));
  return ends;
}

}  // namespace

Result<Pump> Pump::create(const PumpOptions& options) {
  BAWN_ASSIGN(Fd epoll, sys::epoll_create());
  BAWN_ASSIGN(Fd input, open_stdin(options.stdin_text));
  BAWN_ASSIGN(sys::PipeEnds out_pipe, open_output_pipe());
  BAWN_ASSIGN(sys::PipeEnds err_pipe, open_output_pipe());

  PumpStock stock{.epoll = epoll.get(),
                  .quota = OutputQuota(options.output_bytes),
                  .most = most_kept(options.output_bytes)};
  auto out = OutputStream::create(stock, std::move(out_pipe.read), options.stdout_sink);
  if (!out) return out.error().within("relay stdout");
  auto err = OutputStream::create(stock, std::move(err_pipe.read), options.stderr_sink);
  if (!err) return err.error().within("relay stderr");

  return Pump(std::make_unique<State>(
      State{.epoll = std::move(epoll),
            .child = {std::move(input), std::move(out_pipe.write), std::move(err_pipe.write)},
            .stock = std::move(stock),
            .out = std::move(out).value(),
            .err = std::move(err).value()}));
}

Pump::Pump(std::unique_ptr<State> state) : state_(std::move(state)) {}
Pump::Pump(Pump&&) noexcept = default;
Pump& Pump::operator=(Pump&&) noexcept = default;
Pump::~Pump() = default;

ChildEnds Pump::take_child_ends() { return std::exchange(state_->child, {}); }

int Pump::poll_fd() const { return state_->epoll.get(); }

Result<PumpEvent> Pump::step() {
  State& state = *state_;
  BAWN_ASSIGN(const std::uint64_t from_out, state.out.move(state.stock));
  BAWN_ASSIGN(const std::uint64_t from_err, state.err.move(state.stock));
  return PumpEvent{
      .bytes = from_out + from_err,
      .output_exceeded = state.stock.quota.exceeded(),
      .streams_closed = state.out.done() && state.err.done(),
      .reader_slow = state.out.reader_slow() || state.err.reader_slow(),
      .relay_lost = state.out.relay_lost() || state.err.relay_lost(),
  };
}

PumpedOutput Pump::finish() {
  State& state = *state_;
  PumpedOutput output{.stdout_stream = state.out.finish(state.stock),
                      .stderr_stream = state.err.finish(state.stock)};
  state_.reset();
  return output;
}

}  // namespace bawn
