#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/text.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/job_signals.h"
#include "cli/log.h"
#include "cli/policy_source.h"
#include "cli/stop_signals.h"
#include "outcome/render.h"
#include "run/bawn.h"

namespace bawn::cli {
namespace {

Colour terminal_colour() {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(STDERR_FILENO) == 1 && !dumb && std::getenv("NO_COLOR") == nullptr ? Colour::on : Colour::off;
}

bool on_terminal() {
  return isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1;
}

// Before anything runs: afterwards it would be too late to ask for another file.
Result<void> require_writable(int fd) {
  const int flags = fcntl(fd, F_GETFL);
  if (flags == -1) return invalid_error(concat("--status-fd: ", fd, " is not an open file"));
  if ((flags & O_PATH) != 0 || (flags & O_ACCMODE) == O_RDONLY) {
    return invalid_error(concat("--status-fd: file ", fd, " is not open for writing"));
  }
  return {};
}

Result<Request> request_of(const Invocation& invocation) {
  if (invocation.command.empty())
    return invalid_error("no command; expected: bawn run [options] -- CMD [ARG...]");
  return Request{.command = invocation.command.front(),
                 .args = {invocation.command.begin() + 1, invocation.command.end()}};
}

Result<void> write_record(const Invocation& invocation, const Outcome& outcome) {
  if (!invocation.status_fd && !invocation.json) return {};
  const std::string record = concat(outcome_json(outcome), "\n");
  if (invocation.status_fd) {
    if (auto written = write_text(*invocation.status_fd, record); !written)
      return written.error().within("--status-fd");
  }
  if (!invocation.json) return {};
  return write_text(STDOUT_FILENO, record);
}

Result<void> report_outcome(const Invocation& invocation, const Outcome& outcome) {
  if (!invocation.json) {
    const auto told =
        write_text(STDERR_FILENO, concat(render_denial(outcome, terminal_colour()), render_timing(outcome)));
    static_cast<void>(told);  // the exit code says it too
  }
  const auto written = write_record(invocation, outcome);
  if (written) return {};
  return written.error().within(
      concat("the run has ended (", to_string(outcome.status), "), but nobody could be told how"));
}

// In one's home a command could leave what the next shell obeys, and read keys. Whoever means that says so.
Result<void> refuse_home_by_accident(const Policy& policy, const std::string& current) {
  const char* home = std::getenv("HOME");
  if (home == nullptr || !policy.workspace.root.empty() || policy.workspace.mode != WorkspaceMode::direct ||
      policy.tier.use == TierChoice::unconfined) {
    return {};
  }
  struct stat here {};
  struct stat there {};
  if (stat(current.c_str(), &here) != 0 || stat(home, &there) != 0) return {};
  if (here.st_dev != there.st_dev || here.st_ino != there.st_ino) return {};
  return invalid_error(
      "the current directory is your home, whose settings and keys the command could change; go to a "
      "directory below it, or say --workspace . if that is meant");
}

Result<int> run_it(const Invocation& invocation) {
  BAWN_ASSIGN(const SourcedPolicy sourced, load_policy(invocation, PolicyDefault::workspace));
  BAWN_ASSIGN(const Request request, request_of(invocation));
  if (invocation.status_fd) BAWN_TRY(require_writable(*invocation.status_fd));
  RunOptions options{.source = RequestSource::person,
                     .stdio = invocation.json ? StdioMode::capture_output : StdioMode::pass,
                     .timing = invocation.timing};
  BAWN_ASSIGN(options.log, debug_log(invocation.log_level));
  BAWN_ASSIGN(options.workspace, absolute_path("."));
  BAWN_TRY(refuse_home_by_accident(sourced.policy, options.workspace));
  StopSignals stop;
  JobSignals job;
  if (on_terminal()) {
    BAWN_TRY(job.catch_them());
    options.terminal = job.control();
    BAWN_TRY(stop.catch_them(Keyboard::belongs_to_the_command));
  } else {
    BAWN_TRY(stop.catch_them());
  }
  options.cancel_fd = stop.fd();
  const Outcome outcome = run(sourced.policy, request, options);
  BAWN_TRY(report_outcome(invocation, outcome));
  // The record says which signal ended the command; a script wants to hear of the one that was sent to bawn.
  const int stopped = outcome.status == Status::cancelled ? stop.caught() : 0;
  const int asked = stopped == 0 && outcome.status == Status::cancelled ? job.last_interrupt() : stopped;
  return asked != 0 ? 128 + asked : exit_code_of(outcome);
}

}  // namespace

int run_command(Words words) {
  const auto invocation = parse_invocation(Subcommand::run, words);
  if (!invocation) return report_failure("run", invocation.error());
  if (invocation.value().help) return print_help("run");
  const auto code = run_it(invocation.value());
  return code ? code.value() : report_failure("run", code.error());
}

}  // namespace bawn::cli
