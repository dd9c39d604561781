#include "backend/linux/stdio/run_stdio.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "backend/linux/stdio/stdio_file.h"
#include "base/text.h"
#include "policy/text/hint.h"
#include "supervise/ending.h"
#include "sys/call.h"

namespace bawn::linux_ {
namespace {

bool is_opened_by_init(StdioRoute route) {
  return route == StdioRoute::device || route == StdioRoute::host_file;
}

bool is_pumped(StdioRoute route) {
  return route == StdioRoute::captured || route == StdioRoute::relayed ||
         route == StdioRoute::text || route == StdioRoute::piped || route == StdioRoute::empty ||
         route == StdioRoute::terminal;
}

// The command may have set its position to anything. The caller's position only moves forward, as
// by reading, and not past the end.
void move_forward(int fd, std::int64_t from, std::int64_t to) {
  struct stat file {};
  if (fstat(fd, &file) != 0) return;
  const std::int64_t end = std::min<std::int64_t>(to, file.st_size);
  if (end > from) lseek(fd, end, SEEK_SET);
}

}  // namespace

Result<void> RunStdio::open(const StdioDemand& demand, const Request& request) {
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    const auto index = static_cast<std::size_t>(fd);
    if (routes()[index] == StdioRoute::writable) guards_[index].emplace(fd);
  }
  for (int fd = 0; fd < 3; ++fd) {
    const auto index = static_cast<std::size_t>(fd);
    if (routes()[index] != StdioRoute::reopened) continue;
    BAWN_ASSIGN(ends_[index], open_anew(fd, fd == STDIN_FILENO ? O_RDONLY : O_WRONLY));
  }
  return needs_pump() ? open_pump(demand, request) : Result<void>();
}

bool RunStdio::needs_pump() const { return std::ranges::any_of(routes(), is_pumped); }

Result<void> RunStdio::open_pump(const StdioDemand& demand, const Request& request) {
  const PumpOptions options{.stdout_sink = sink(demand, STDOUT_FILENO, record_.stdout_filter()),
                            .stderr_sink = sink(demand, STDERR_FILENO, record_.stderr_filter()),
                            .terminal_sink = terminal_sink(demand),
                            .stdin_source = source(request),
                            .output_bytes = plan_.limits.output_bytes};
  BAWN_ASSIGN(Pump pump, Pump::create(options));
  pump_.emplace(std::move(pump));
  ChildEnds made = pump_->take_child_ends();
  std::array<Fd*, 3> ends = {&made.stdin_read, &made.stdout_write, &made.stderr_write};
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (*ends[i]) ends_[i] = std::move(*ends[i]);
  }
  return give_pipes_to_user();
}

// Only the owner of a pipe can open it again by /dev/stdin, /dev/stdout or /dev/stderr.
Result<void> RunStdio::give_pipes_to_user() const {
  const auto* namespaces = plan_.part<NamespacesPlan>();
  if (namespaces == nullptr || !namespaces->user.gets_pipes) return {};
  const RunUser& user = namespaces->user;
  for (const Fd& end : ends_) {
    if (!end) continue;
    BAWN_TRY(
        sys::checked("fchown", [&] { return fchown(end.get(), user.host_uid, user.host_gid); }));
  }
  return {};
}

InputSource RunStdio::source(const Request& request) const {
  switch (routes()[0]) {
    case StdioRoute::text:
      return TextSource{request.stdin_text.value_or("")};
    case StdioRoute::piped:
      return PipeSource{};
    case StdioRoute::relayed:
      return RelaySource{.source = STDIN_FILENO, .moves_position = !plan_.stdio.shares_position};
    case StdioRoute::empty:
      return EmptySource{};
    default:
      return NoSource{};
  }
}

Sink RunStdio::sink(const StdioDemand& demand, int fd, ByteFilter* filter) const {
  switch (routes()[static_cast<std::size_t>(fd)]) {
    case StdioRoute::relayed:
      return RelaySink{.target = fd, .most_file_bytes = plan_.limits.file_bytes};
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
  if (plan_.terminal.use != TerminalUse::own) return NoSink{};
  if (plan_.stdio.captures_terminal)
    return CaptureSink{.filter = record_.stdout_filter(),
                       .consumer = consumer_of(*demand.options, Stream::out)};
  return RelaySink{.target = demand.terminal_fd >= 0 ? demand.terminal_fd : STDOUT_FILENO};
}

Stdio RunStdio::command_ends() const {
  Stdio stdio;
  for (std::size_t i = 0; i < routes().size(); ++i) {
    if (routes()[i] == StdioRoute::terminal) continue;
    stdio.openings[i] = opening(i);
    if (is_opened_by_init(routes()[i])) continue;
    stdio.files[i] = ends_[i] ? ends_[i].get() : static_cast<int>(i);
  }
  return stdio;
}

StdioOpening RunStdio::opening(std::size_t fd) const {
  if (!is_opened_by_init(routes()[fd])) return {};
  const StdioFacts& facts = plan_.stdio.files[fd];
  return {.origin = routes()[fd] == StdioRoute::device ? init::StdioOrigin::device
                                                       : init::StdioOrigin::host_file,
          .access = static_cast<std::uint32_t>(fd == STDIN_FILENO ? O_RDONLY : O_WRONLY),
          .directory = facts.directory,
          .name = facts.name,
          .position = facts.position,
          .identity = {facts.device, facts.inode}};
}

void RunStdio::close_child_ends() { ends_ = {}; }

void RunStdio::record(std::optional<std::int64_t> read_to, const Limits& limits, Outcome& outcome) {
  if (routes()[0] == StdioRoute::host_file && read_to && !plan_.stdio.shares_position)
    move_forward(STDIN_FILENO, plan_.stdio.files[0].position, *read_to);
  if (!pump_) return;
  PumpedOutput output = pump_->finish();
  // A terminal is one stream: output to stderr is in it too.
  const bool on_terminal = routes()[1] == StdioRoute::terminal;
  record_.write(on_terminal ? output.terminal_stream : output.stdout_stream, output.stderr_stream,
                outcome);
  outcome.truncated =
      outcome.truncated || output.stdout_stream.truncated || output.terminal_stream.truncated;
  // A terminal of the caller's that has hung up is no loss: its reader is gone.
  tell_lost_output("stdout",
                   plan_.stdio.captures_terminal ? output.terminal_stream : output.stdout_stream,
                   limits, outcome);
  tell_lost_output("stderr", output.stderr_stream, limits, outcome);
}

}  // namespace bawn::linux_
