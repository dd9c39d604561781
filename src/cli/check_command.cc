#include <unistd.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/policy_source.h"
#include "cli/question.h"
#include "run/bawn.h"

namespace bawn::cli {
namespace {

Result<int> check_it(const Invocation& invocation) {
  BAWN_ASSIGN(LoadedPolicy loaded, load_policy(invocation, policy_default(invocation)));
  const SourcedPolicy& sourced = loaded.sourced;
  BAWN_ASSIGN(const Question question, question_of("check", invocation));
  RunOptions options{.source = question.source, .inputs = std::move(loaded.inputs)};
  BAWN_ASSIGN(options.workspace, workspace_by_default(sourced.policy));
  Checked checked = question.problems.empty() ? check(sourced.policy, question.request, options)
                                              : Checked{.violations = question.problems};
  BAWN_TRY(add_place_by_accident(sourced.policy, question, options.workspace, checked));
  BAWN_TRY(write_text(STDOUT_FILENO, invocation.json ? checked_json(checked) : checked_text(checked)));
  return exit_code_of(checked);
}

}  // namespace

int check_command(Words words) {
  Invocation invocation;
  const auto parsed = parse_invocation(Subcommand::check, words, invocation);
  if (!parsed) return report_failure("check", parsed.error());
  if (invocation.help) return print_help("check");
  const auto code = check_it(invocation);
  return code ? code.value() : report_failure("check", code.error());
}

}  // namespace bawn::cli
