#include <unistd.h>

#include "api/run.h"
#include "base/text.h"
#include "front/cli/command.h"
#include "front/cli/input/check_input.h"
#include "front/cli/input/files.h"
#include "front/cli/input/policy_source.h"

namespace bawn::cli {
namespace {

Result<int> check_it(const Invocation& invocation) {
  BAWN_ASSIGN(LoadedPolicy loaded, load_policy(invocation, policy_default(invocation)));
  const SourcedPolicy& sourced = loaded.sourced;
  BAWN_ASSIGN(const CheckInput input, read_check_input("check", invocation));
  BAWN_ASSIGN(const RunOptions options, preview_options(input, loaded));
  Checked checked = input.problems.empty() ? check(sourced.policy, input.request, options)
                                           : Checked{.violations = input.problems};
  BAWN_TRY(add_place_by_accident(sourced.policy, input, options.workspace, checked));
  BAWN_TRY(
      write_text(STDOUT_FILENO, invocation.json ? checked_json(checked) : checked_text(checked)));
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
