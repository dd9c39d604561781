#include "validate/validate.h"

#include "base/text.h"
#include "policy/policy.h"
#include "policy/text/hint.h"
#include "policy/text/quantity.h"
#include "validate/argument/argument_paths.h"
#include "validate/argument/egress.h"
#include "validate/environment.h"
#include "validate/guest_paths.h"
#include "validate/planted_link.h"
#include "validate/program/executable.h"
#include "validate/scope.h"
#include "validate/working_directory.h"

namespace bawn {
namespace {

// Why a path that the caller names cannot be trusted, judged by the links on its way; "" if it can.
std::string objection_to_way(const Located& named, const Scope& scope, std::string_view home) {
  if (const std::string_view link = scope.writable_link(named); !link.empty())
    return concat("by way of the link ", quote(link),
                  ", which lies where the command can change it");
  const PassedLink* planted = planted_link(named, home);
  return planted == nullptr ? "" : concat("by way of ", described(*planted));
}

// A run can redirect a link that it can write, so an earlier run may have chosen what the grant
// opens.
void judge_grants(const Policy& policy, const Scope& scope, const ValidationContext& context,
                  Violations& violations) {
  const auto judge = [&](const std::vector<Grant>& grants, std::string_view key) {
    for (const Grant& grant : grants) {
      const Located located = context.lookup->locate(grant.path);
      const std::string objection = objection_to_way(located, scope, context.home);
      if (objection.empty()) continue;
      violations.push_back({"grant.link", grant.path,
                            concat(key, " grants ", quote(grant.path), " ", objection),
                            concat(try_option(key, located.path), " if you mean that path")});
    }
  };
  judge(policy.filesystem.read, "filesystem.read");
  judge(policy.filesystem.write, "filesystem.write");
}

void judge_way_to_workspace(const Located& workspace, const Scope& scope,
                            const ValidationContext& context, Violations& violations) {
  const std::string objection = objection_to_way(workspace, scope, context.home);
  if (objection.empty()) return;
  violations.push_back(
      {"workspace.link", workspace.path,
       concat("the workspace ", quote(workspace.path), " is named ", objection),
       concat(try_option("workspace.root", workspace.path), " if you mean that directory")});
}

// A request may ask for less time than the policy gives. More is an error and not cut down
// silently.
void judge_timeout(const Policy& policy, const Request& request, Violations& violations) {
  if (!request.timeout_ms || !policy.limits.wall_time_ms) return;
  if (*request.timeout_ms <= *policy.limits.wall_time_ms) return;
  violations.push_back(
      {"limit.timeout_too_long", "timeout_ms",
       concat("the request asks for ", *request.timeout_ms, " ms, and the policy gives ",
              *policy.limits.wall_time_ms, " ms"),
       concat("ask for less, or ",
              try_option("limits.wall_time_ms", duration_text(*request.timeout_ms)))});
}

void judge_background(const Policy& policy, const Request& request, Violations& violations) {
  if (!request.background || policy.background.processes > 0) return;
  violations.push_back({"background.not_allowed", "background",
                        "the policy allows no background runs",
                        "the policy key background.processes says how many are allowed"});
}

}  // namespace

WorkspaceScope look_at_workspace(const Policy& policy, std::string_view workspace,
                                 const PathLookup& lookup) {
  Located located = workspace.empty() ? Located() : lookup.locate(workspace);
  Scope scope = make_scope(policy.workspace.mode, policy.filesystem, located, lookup);
  return {std::move(located), std::move(scope)};
}

Verdict validate(const Policy& policy, const Request& request, const ValidationContext& context) {
  Verdict verdict;
  const PathLookup& lookup = *context.lookup;
  Violations& violations = verdict.violations;
  WorkspaceScope looked =
      context.looked ? *context.looked : look_at_workspace(policy, context.workspace, lookup);
  judge_workspace(context.workspace, looked.workspace, violations);
  verdict.workspace = std::move(looked.workspace);
  verdict.scope = std::move(looked.scope);
  const Scope& scope = verdict.scope;
  // The workspace and the policy have host paths; the request has guest paths. The two differ only
  // if a grant has a destination.
  std::optional<GuestPaths> guest_paths;
  std::optional<ValidationContext> context_of_run;
  if (context.tier == Tier::c && remaps_grants(policy.filesystem)) {
    guest_paths.emplace(lookup, guest_mappings(policy.filesystem, verdict.workspace, context));
    context_of_run.emplace(context).lookup = &*guest_paths;
  }
  const ValidationContext& inside = context_of_run ? *context_of_run : context;
  verdict.cwd =
      judge_cwd(request.cwd, verdict.workspace, scope, inside.tier, *inside.lookup, violations);
  verdict.program = judge_executable(policy, request, scope, verdict.cwd, inside, violations);
  if (context.lists_executables && !policy.executables.allow_all)
    verdict.executables =
        list_executables(policy.executables, scope, verdict.program, *inside.lookup, violations);
  judge_paths(policy, request, request.args, scope, verdict.cwd, inside, violations);
  verdict.environment = build_environment(policy.environment, request, inside, violations);
  verdict.passed = passed_variables(policy.environment, inside);
  if (context.tier != Tier::unconfined) {
    judge_way_to_workspace(verdict.workspace, scope, context, violations);
    judge_grants(policy, scope, context, violations);
  }
  judge_egress(policy.egress, request, violations);
  judge_timeout(policy, request, violations);
  judge_background(policy, request, violations);
  return verdict;
}

}  // namespace bawn
