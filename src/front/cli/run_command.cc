#include <unistd.h>

#include <cstdlib>

#include "api/run.h"
#include "base/text.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"
#include "front/cli/input/home_guard.h"
#include "front/cli/input/policy_source.h"
#include "front/cli/log.h"
#include "front/cli/signals/run_signals.h"
#include "outcome/denial.h"
#include "outcome/render.h"

namespace bawn::cli {
namespace {

Colour terminal_colour() {
  const char* terminal = std::getenv("TERM");
  const bool dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(STDERR_FILENO) == 1 && !dumb && std::getenv("NO_COLOR") == nullptr ? Colour::on
                                                                                   : Colour::off;
}

bool on_terminal() {
  return isatty(STDIN_FILENO) == 1 || isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1;
}

// Called before anything runs: once the command has run, its outcome would have nowhere to go.
Result<void> require_record_files(const Invocation& invocation) {
  if (invocation.status_fd) {
    if (auto writable = require_writable(*invocation.status_fd); !writable)
      return writable.error().within("--status-fd");
  }
  if (!invocation.json) return {};
  auto writable = require_writable(STDOUT_FILENO);
  return writable ? writable : writable.error().within("--json");
}

Result<Request> request_of(const Invocation& invocation) {
  if (invocation.command.empty())
    return invalid_error("no command; expected: bawn run [options] -- CMD [ARG...]");
  return Request{.command = invocation.command.front(),
                 .args = {invocation.command.begin() + 1, invocation.command.end()}};
}

Result<void> write_record(const Invocation& invocation, const Outcome& outcome) {
  if (!invocation.status_fd && !invocation.json) return {};
  const std::string outcome_line = concat(outcome_json(outcome), "\n");
  auto printed = invocation.json ? write_text(STDOUT_FILENO, outcome_line) : Result<void>();
  if (!invocation.status_fd) return printed;
  const auto written = write_text(*invocation.status_fd, outcome_line);
  return written ? printed : written.error().within("--status-fd");
}

Result<void> report_outcome(const Invocation& invocation, const Outcome& outcome) {
  if (!invocation.json) {
    // tell() and not write_text(): a slow reader of stderr must not delay bawn's exit beyond the
    // run's deadline. The exit code carries the result as well.
    tell(STDERR_FILENO, concat(render_denial(outcome, terminal_colour()), render_timing(outcome)));
    if (isatty(STDERR_FILENO) == 1) tell(STDERR_FILENO, render_handoff(outcome));
  }
  if (invocation.receipt) tell(STDERR_FILENO, render_receipt(outcome));
  const auto written = write_record(invocation, outcome);
  if (written) return {};
  return written.error().within(concat("the run has ended (", to_string(outcome.status),
                                       "), but its outcome could not be written"));
}

Result<void> refuse_place_by_accident(const Policy& policy, const std::string& current) {
  BAWN_ASSIGN(const auto place, place_by_accident(policy, current));
  if (!place) return {};
  return invalid_error(concat(place->message, "; ", place->hint));
}

struct ReadyRun {
  SourcedPolicy sourced;
  Request request;
  RunOptions options;
};

Result<ReadyRun> ready_run(const Invocation& invocation) {
  ReadyRun ready;
  BAWN_ASSIGN(LoadedPolicy loaded, load_policy(invocation, PolicyDefault::workspace));
  ready.sourced = std::move(loaded.sourced);
  BAWN_ASSIGN(ready.request, request_of(invocation));
  BAWN_TRY(require_record_files(invocation));
  ready.options = {.source = RequestSource::person,
                   .stdio = invocation.json ? StdioMode::capture_output : StdioMode::pass,
                   .inputs = std::move(loaded.inputs),
                   .timing = invocation.timing};
  if (!invocation.json) ready.options.notice = tell_notice;
  BAWN_ASSIGN(ready.options.log, debug_log(invocation.log_level));
  BAWN_ASSIGN(ready.options.workspace, workspace_by_default(ready.sourced.policy));
  BAWN_TRY(refuse_place_by_accident(ready.sourced.policy, ready.options.workspace));
  return ready;
}

// A caller that asked for an outcome gets one even if nothing ran. With --json the outcome goes to
// stdout and stderr stays empty, as for a denial.
int report_no_run(const Invocation& invocation, const Error& error) {
  const FailureKind kind =
      error.kind == ErrorKind::invalid ? FailureKind::invalid_input : FailureKind::runtime_failure;
  const std::string outcome_line =
      concat(outcome_json(failed_outcome("", kind, error.message)), "\n");
  if (invocation.status_fd && require_writable(*invocation.status_fd)) {
    const auto ignored = write_text(*invocation.status_fd, outcome_line);
    static_cast<void>(ignored);  // the exit code and stdout or stderr still report it
  }
  if (invocation.json && write_text(STDOUT_FILENO, outcome_line)) return kExitFailed;
  return report_failure("run", error);
}

int run_it(const Invocation& invocation) {
  auto ready = ready_run(invocation);
  if (!ready) return report_no_run(invocation, ready.error());
  auto& [sourced, request, options] = ready.value();
  RunSignals signals;
  const auto caught =
      signals.catch_for(options, on_terminal() ? KeyboardOwner::command : KeyboardOwner::nobody);
  if (!caught) return report_no_run(invocation, caught.error());
  const Outcome outcome =
      finish(Run::start(sourced.policy, std::move(request), std::move(options)), signals);
  const auto reported = report_outcome(invocation, outcome);
  if (!reported) return report_failure("run", reported.error());
  // The outcome names the signal that ended the command. The exit code names the signal that was
  // sent to bawn, as a script expects.
  const int asked = signals.stopped_by(outcome);
  return asked != 0 ? 128 + asked : exit_code_of(outcome);
}

}  // namespace

int run_command(Words words) {
  Invocation invocation;
  const auto parsed = parse_invocation(Subcommand::run, words, invocation);
  if (!parsed) return report_no_run(invocation, parsed.error());
  if (invocation.help) return print_help("run");
  return run_it(invocation);
}

}  // namespace bawn::cli
