#include "backend/linux/stdio/run_stdio.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "backend/linux/stdio/stdio_file.h"
#include "base/text.h"
#include "plan/writable_file.h"
#include "policy/text/hint.h"
#include "supervise/ending.h"

namespace bawn::linux_ {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"stdin", "stdout", "stderr"};

bool is_on_terminal(const TerminalPlan& terminal, int fd) {
  return terminal.use == TerminalUse::own &&
         (terminal.stdio & 1U << static_cast<unsigned>(fd)) != 0;
}

bool is_opened_by_init(StdioRoute route) {
  return route == StdioRoute::device || route == StdioRoute::host_file;
}

bool is_pumped(StdioRoute route) {
  return route == StdioRoute::captured || route == StdioRoute::relayed ||
         route == StdioRoute::text || route == StdioRoute::piped || route == StdioRoute::empty ||
         route == StdioRoute::terminal;
}

RouteContext context_of(const StdioDemand& demand) {
  return {.tier = demand.tier,
          .through_bawn = demand.output_bytes.has_value(),
          .init_opens_files = demand.init_opens_files};
}

// The command may have set its position to anything. The caller's position only moves forward, as
// by reading, and not past the end.
void move_forward(int fd, std::int64_t from, std::int64_t to) {
  struct stat file {};
  if (fstat(fd, &file) != 0) return;
  const std::int64_t end = std::min<std::int64_t>(to, file.st_size);
  if (end > from) lseek(fd, end, SEEK_SET);
}

StdioFacts null_facts() {
  constexpr std::uint64_t kNull = (std::uint64_t{1} << 32) | 3;
  return {.kind = StdioKind::plain_device,
          .is_null = true,
          .directory = "/dev",
          .name = "null",
          .device = kNull};
}

}  // namespace

Result<void> RunStdio::open(const StdioDemand& demand, const Request& request) {
  BAWN_TRY(choose(demand, request));
  for (int fd = 0; fd < 3; ++fd) reopen(fd);
  return needs_pump() ? open_pump(demand, request) : Result<void>();
}

Result<void> RunStdio::choose(const StdioDemand& demand, const Request& request) {
  BAWN_ASSIGN(routes_[0], choose_input(demand, request));
  BAWN_ASSIGN(routes_[1], choose_output(demand, STDOUT_FILENO));
  BAWN_ASSIGN(routes_[2], choose_output(demand, STDERR_FILENO));
  const bool both_relayed = routes_[1] == StdioRoute::relayed && routes_[2] == StdioRoute::relayed;
  if (both_relayed && share_an_end(STDOUT_FILENO, STDERR_FILENO))
    routes_[2] = StdioRoute::with_stdout;
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    // stdin and stdout can be one open file description (`cmd <>file >&0`) with one offset. Then
    // stdin must be the caller's description too.
    const bool one =
        routes_[static_cast<std::size_t>(fd)] == StdioRoute::writable && facts_[0].reads;
    if (one && is_one_description(STDIN_FILENO, fd)) routes_[0] = StdioRoute::writable;
  }
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    const auto index = static_cast<std::size_t>(fd);
    if (routes_[index] == StdioRoute::writable) guards_[index].emplace(fd);
  }
  shares_position_ = is_one_description(STDIN_FILENO, STDOUT_FILENO) ||
                     is_one_description(STDIN_FILENO, STDERR_FILENO);
  return {};
}

Result<StdioRoute> RunStdio::choose_input(const StdioDemand& demand, const Request& request) {
  if (is_on_terminal(demand.terminal, STDIN_FILENO)) return StdioRoute::terminal;
  if (demand.options->stdio == StdioMode::capture) {
    if (demand.options->input_pipe) return StdioRoute::piped;
    if (request.stdin_text) return StdioRoute::text;
    facts_[0] = null_facts();
    return route_no_input(demand.tier);
  }
  BAWN_ASSIGN(facts_[0], look_at_stdio(STDIN_FILENO));
  BAWN_ASSIGN(const StdioRoute route, route_input(facts_[0], context_of(demand)));
  // The null device replaces a file that the caller cannot read either.
  if (route == StdioRoute::device && facts_[0].kind != StdioKind::plain_device)
    facts_[0] = null_facts();
  return route;
}

Result<StdioRoute> RunStdio::choose_output(const StdioDemand& demand, int fd) {
  const auto index = static_cast<std::size_t>(fd);
  if (is_on_terminal(demand.terminal, fd)) return StdioRoute::terminal;
  if (demand.options->stdio != StdioMode::pass) return StdioRoute::captured;
  BAWN_ASSIGN(facts_[index], look_at_stdio(fd));
  RouteContext context = context_of(demand);
  context.hands_over = hands_over(facts_[index], fd);
  return route_output(kNames[index], facts_[index], context);
}

bool RunStdio::hands_over(const StdioFacts& facts, int fd) const {
  if (facts.kind != StdioKind::regular || facts.name.empty()) return false;
  const unsigned user = plan_.tier == Tier::c ? plan_.user.host_uid : geteuid();
  return may_write(plan_, path_of(facts)) && could_open_by_name(fd, facts, user) &&
         DescriptionGuard::can_restore(fd);
}

// If the caller may not open the device again, its bytes are relayed.
void RunStdio::reopen(int fd) {
  const auto index = static_cast<std::size_t>(fd);
  if (routes_[index] != StdioRoute::reopened) return;
  auto own = open_anew(fd, fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);
  if (own) {
    ends_[index] = std::move(own).value();
  } else {
    routes_[index] = StdioRoute::relayed;
  }
}

bool RunStdio::needs_pump() const { return std::ranges::any_of(routes_, is_pumped); }

Result<void> RunStdio::open_pump(const StdioDemand& demand, const Request& request) {
  const PumpOptions options{.stdout_sink = sink(demand, STDOUT_FILENO, record_.stdout_filter()),
                            .stderr_sink = sink(demand, STDERR_FILENO, record_.stderr_filter()),
                            .terminal_sink = terminal_sink(demand),
                            .stdin_source = source(request),
                            .output_bytes = demand.output_bytes};
  BAWN_ASSIGN(Pump pump, Pump::create(options));
  pump_.emplace(std::move(pump));
  ChildEnds made = pump_->take_child_ends();
  std::array<Fd*, 3> ends = {&made.stdin_read, &made.stdout_write, &made.stderr_write};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (*ends[i]) ends_[i] = std::move(*ends[i]);
  }
  return {};
}

InputSource RunStdio::source(const Request& request) const {
  switch (routes_[0]) {
    case StdioRoute::text:
      return TextSource{request.stdin_text.value_or("")};
    case StdioRoute::piped:
      return PipeSource{};
    case StdioRoute::relayed:
      return RelaySource{.source = STDIN_FILENO, .moves_position = !shares_position_};
    case StdioRoute::empty:
      return EmptySource{};
    default:
      return NoSource{};
  }
}

Sink RunStdio::sink(const StdioDemand& demand, int fd, ByteFilter* filter) const {
  switch (routes_[static_cast<std::size_t>(fd)]) {
    case StdioRoute::relayed:
      return RelaySink{.target = fd, .most_file_bytes = demand.most_file_bytes};
    case StdioRoute::captured:
      return CaptureSink{.filter = filter,
                         .consumer = consumer_of(*demand.options,
                                                 fd == STDERR_FILENO ? Stream::err : Stream::out)};
    case StdioRoute::with_stdout:
      return StdoutSink{};
    default:
      return NoSink{};
  }
}

Sink RunStdio::terminal_sink(const StdioDemand& demand) {
  if (demand.terminal.use != TerminalUse::own) return NoSink{};
  captures_terminal_ =
      demand.options->stdio != StdioMode::pass && routes_[1] == StdioRoute::terminal;
  if (captures_terminal_)
    return CaptureSink{.filter = record_.stdout_filter(),
                       .consumer = consumer_of(*demand.options, Stream::out)};
  return RelaySink{.target = demand.terminal_fd >= 0 ? demand.terminal_fd : STDOUT_FILENO};
}

Stdio RunStdio::command_ends() const {
  Stdio stdio;
  for (std::size_t i = 0; i < routes_.size(); ++i) {
    if (routes_[i] == StdioRoute::terminal) continue;
    stdio.openings[i] = opening(i);
    if (is_opened_by_init(routes_[i])) continue;
    stdio.files[i] = ends_[i] ? ends_[i].get() : static_cast<int>(i);
  }
  return stdio;
}

StdioOpening RunStdio::opening(std::size_t fd) const {
  if (!is_opened_by_init(routes_[fd])) return {};
  const StdioFacts& facts = facts_[fd];
  return {.origin = routes_[fd] == StdioRoute::device ? init::StdioOrigin::device
                                                      : init::StdioOrigin::host_file,
          .access = static_cast<std::uint32_t>(fd == STDIN_FILENO ? O_RDONLY : O_WRONLY),
          .directory = facts.directory,
          .name = facts.name,
          .position = facts.position,
          .identity = {facts.device, facts.inode}};
}

void RunStdio::close_child_ends() { ends_ = {}; }

void RunStdio::record(std::optional<std::int64_t> read_to, const Limits& limits, Outcome& outcome) {
  if (routes_[0] == StdioRoute::host_file && read_to && !shares_position_)
    move_forward(STDIN_FILENO, facts_[0].position, *read_to);
  if (!pump_) return;
  PumpedOutput output = pump_->finish();
  // A terminal is one stream: output to stderr is in it too.
  const bool on_terminal = routes_[1] == StdioRoute::terminal;
  record_.write(on_terminal ? output.terminal_stream : output.stdout_stream, output.stderr_stream,
                outcome);
  outcome.truncated =
      outcome.truncated || output.stdout_stream.truncated || output.terminal_stream.truncated;
  // A terminal of the caller's that has hung up is no loss: its reader is gone.
  tell_lost_output("stdout", captures_terminal_ ? output.terminal_stream : output.stdout_stream,
                   limits, outcome);
  tell_lost_output("stderr", output.stderr_stream, limits, outcome);
}

}  // namespace bawn::linux_
