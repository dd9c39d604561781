#include <unistd.h>

#include "base/text.h"
#include "front/cli/command.h"
#include "front/cli/input/check_input.h"
#include "front/cli/input/files.h"
#include "front/cli/input/policy_source.h"
#if defined(__linux__)
#include "backend/linux/lookup/mappable_programs.h"
#endif
#include "plan/explain/explain.h"
#include "run/plan_preview.h"

namespace bawn::cli {
namespace {

std::optional<std::uint64_t> mappable_programs(const Plan& plan) {
#if defined(__linux__)
  const auto* namespaces = plan.part<NamespacesPlan>();
  if (namespaces != nullptr && plan.executables)
    return linux_::count_mappable_programs(namespaces->root.library_directories);
#endif
  static_cast<void>(plan);
  return std::nullopt;
}

Explanation explanation_of(const SourcedPolicy& sourced, const Request& request,
                           const PlanPreview& preview) {
  return explain_plan({.plan = &preview.plan,
                       .policy = &sourced,
                       .request = &request,
                       .host = &preview.host,
                       .filter = preview.filter,
                       .landlock_gaps = preview.gaps,
                       .mappable_programs = mappable_programs(preview.plan),
                       .repairs = preview.checked.repairs});
}

Result<int> explain_it(const Invocation& invocation) {
  BAWN_ASSIGN(LoadedPolicy loaded, load_policy(invocation, policy_default(invocation)));
  const SourcedPolicy& sourced = loaded.sourced;
  BAWN_ASSIGN(CheckInput input, read_check_input("explain", invocation));
  BAWN_ASSIGN(const RunOptions options, preview_options(input, loaded));
  PlanPreview preview = input.problems.empty()
                            ? plan_only(sourced.policy, input.request, options)
                            : PlanPreview{.checked = {.violations = input.problems}};
  BAWN_TRY(add_place_by_accident(sourced.policy, input, options.workspace, preview.checked));
  if (!preview.checked.allowed()) {
    BAWN_TRY(write_text(STDOUT_FILENO, invocation.json ? checked_json(preview.checked)
                                                       : checked_text(preview.checked)));
    return exit_code_of(preview.checked);
  }
  const Explanation explanation = explanation_of(sourced, input.request, preview);
  BAWN_TRY(write_text(STDOUT_FILENO, invocation.json ? concat(explanation_json(explanation), "\n")
                                                     : explanation_text(explanation)));
  return 0;
}

}  // namespace

int explain_command(Words words) {
  Invocation invocation;
  const auto parsed = parse_invocation(Subcommand::explain, words, invocation);
  if (!parsed) return report_failure("explain", parsed.error());
  if (invocation.help) return print_help("explain");
  const auto code = explain_it(invocation);
  return code ? code.value() : report_failure("explain", code.error());
}

}  // namespace bawn::cli
