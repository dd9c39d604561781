#include <unistd.h>

#include "api/run.h"
#include "base/text.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"
#include "front/cli/input/policy_source.h"
#include "front/cli/log.h"
#include "front/cli/signals/run_signals.h"
#include "outcome/denial.h"

namespace bawn::cli {
namespace {

Outcome answer(const Policy& policy, std::string text, RunOptions options, RunSignals& signals) {
  auto parsed = parse_request(std::move(text));
  if (const auto* problems = std::get_if<std::vector<json::Problem>>(&parsed))
    return invalid_request_outcome(*problems);
  return finish(Run::start(policy, std::get<Request>(std::move(parsed)), std::move(options)),
                signals);
}

Result<void> exec_it(const Invocation& invocation) {
  BAWN_ASSIGN(LoadedPolicy loaded, load_policy(invocation, PolicyDefault::none));
  const SourcedPolicy& sourced = loaded.sourced;
  if (auto writable = require_writable(STDOUT_FILENO); !writable)
    return writable.error().within("the outcome cannot be written");
  RunOptions options{
      .inputs = std::move(loaded.inputs), .notice = tell_notice, .timing = invocation.timing};
  BAWN_ASSIGN(options.log, debug_log(invocation.log_level));
  BAWN_ASSIGN(options.workspace, workspace_by_default(sourced.policy));
  BAWN_ASSIGN(std::string text, read_request_text("-"));
  RunSignals signals;
  BAWN_TRY(signals.catch_for(options, KeyboardOwner::nobody));
  const Outcome outcome = answer(sourced.policy, std::move(text), std::move(options), signals);
  return write_text(STDOUT_FILENO, concat(outcome_json(outcome), "\n"));
}

}  // namespace

int exec_command(Words words) {
  Invocation invocation;
  const auto parsed = parse_invocation(Subcommand::exec, words, invocation);
  if (!parsed) return report_failure("exec", parsed.error());
  if (invocation.help) return print_help("exec");
  const auto done = exec_it(invocation);
  return done ? 0 : report_failure("exec", done.error());
}

}  // namespace bawn::cli
