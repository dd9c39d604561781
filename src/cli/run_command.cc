#include <unistd.h>

#include <cstdlib>

#include "base/text.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/home_guard.h"
#include "cli/log.h"
#include "cli/policy_source.h"
#include "cli/run_signals.h"
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

Result<void> refuse_home_by_accident(const Policy& policy, const std::string& current) {
  const auto home = home_by_accident(policy, current);
  if (!home) return {};
  return invalid_error(concat(home->message, "; ", home->hint));
}

Result<int> run_it(const Invocation& invocation) {
  BAWN_ASSIGN(const SourcedPolicy sourced, load_policy(invocation, PolicyDefault::workspace));
  BAWN_ASSIGN(const Request request, request_of(invocation));
  BAWN_TRY(require_record_files(invocation));
  RunOptions options{.source = RequestSource::person,
                     .stdio = invocation.json ? StdioMode::capture_output : StdioMode::pass,
                     .timing = invocation.timing};
  BAWN_ASSIGN(options.log, debug_log(invocation.log_level));
  BAWN_ASSIGN(options.workspace, absolute_path("."));
  BAWN_TRY(refuse_home_by_accident(sourced.policy, options.workspace));
  RunSignals signals;
  BAWN_TRY(signals.catch_for(options, on_terminal() ? Terminal::the_runs : Terminal::not_asked));
  const Outcome outcome = run(sourced.policy, request, options);
  BAWN_TRY(report_outcome(invocation, outcome));
  // The record says which signal ended the command; a script wants to hear of the one that was sent to bawn.
  const int asked = signals.stopped_by(outcome);
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
