#include "run/run_plan.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "base/text.h"
#include "host/system_paths.h"
#include "plan/root/destinations.h"
#include "plan/root/tool_places.h"
#include "policy/policy.h"
#include "policy/policy_check.h"
#include "policy/text/names.h"
#include "validate/validate.h"

namespace bawn {
namespace {

Violations as_violations(const std::string& code, const std::vector<json::Problem>& problems) {
  Violations out;
  for (const json::Problem& problem : problems) {
    out.push_back({code, problem.where, problem.message, problem.hint});
  }
  return out;
}

}  // namespace

void RunPlan::refuse(Violations more) {
  violations.insert(violations.end(), std::make_move_iterator(more.begin()),
                    std::make_move_iterator(more.end()));
}

void RunPlan::fail(Error error) {
  violations.clear();
  tier.reset();
  failure = std::move(error);
}

bool RunPlan::failed_to_look(const PathLookup& lookup) {
  const std::optional<Error> shortage = lookup.shortage();
  if (shortage) fail(shortage->within("judge the request"));
  return shortage.has_value();
}

bool RunPlan::admits(const Verdict& verdict, const Policy& policy) {
  if (!verdict.allowed() && tier) refuse(judge_destinations(policy, setup_or_null()));
  if (!verdict.allowed()) tier.reset();
  refuse(verdict.violations);
  return tier.has_value();
}

void RunPlan::take(PlanResult result) {
  refuse(std::move(result.violations));
  plan = std::move(result.plan);
}

RunPlan check_input(const Policy& policy, const Request& request, RequestSource source,
                    std::shared_ptr<const HostFacts> host, std::uint32_t draw) {
  RunPlan run_plan;
  run_plan.violations = as_violations("policy.invalid", check_policy(policy));
  run_plan.refuse(as_violations("request.invalid", check_request(request, source)));
  run_plan.input_is_valid = run_plan.violations.empty();
  if (!run_plan.input_is_valid) return run_plan;

  run_plan.host = std::move(host);
  const auto tier = choose_tier(policy, *run_plan.host);
  if (const auto* unavailable = std::get_if<Violation>(&tier)) {
    run_plan.violations.push_back(*unavailable);
    return run_plan;
  }
  run_plan.tier = std::get<Tier>(tier);
  if (run_plan.host->boundary(*run_plan.tier) == Boundary::namespaces)
    run_plan.setup = plan_setup(policy, *run_plan.host, draw);
  return run_plan;
}

std::string workspace_of(const Policy& policy, const RunOptions& options) {
  if (policy.workspace.mode == WorkspaceMode::private_dir) return "";
  return policy.workspace.root.empty() ? options.workspace : policy.workspace.root;
}

namespace {

bool is_of_the_system(std::string_view path) {
  return std::any_of(kShownTrees.begin(), kShownTrees.end(),
                     [&](std::string_view tree) { return path_is_within(path, tree); });
}

}  // namespace

std::vector<std::string> directories_among(std::span<const std::string_view> paths,
                                           const PathLookup& lookup, const Scope& scope,
                                           std::string_view home) {
  std::vector<std::string> out;
  for (const std::string_view path : paths) {
    if (!path.starts_with('/')) continue;
    Located located = lookup.locate(path);
    const bool led_astray = is_led_astray(located, scope, home) && !scope.can_see(located) &&
                            !is_of_the_system(located.path);
    if (located.kind == FileKind::directory && !led_astray) out.push_back(std::move(located.path));
  }
  return out;
}

std::string real_home(const std::optional<std::string>& variable, const PathLookup& lookup) {
  if (!variable || !variable->starts_with('/')) return "";
  const Located home = lookup.locate(*variable);
  return home.kind == FileKind::directory ? home.path : "";
}

Policy with_canonical_paths(Policy policy, const PathLookup& lookup) {
  for (std::string& path : policy.arguments.refuse_paths) {
    const Located located = lookup.locate(path);
    if (located.error.empty()) path = located.path;
  }
  return policy;
}

Policy with_real_names_added(Policy policy, const PathLookup& host) {
  std::vector<std::string> real_names;
  for (const std::string& path : policy.arguments.refuse_paths) {
    Located located = host.locate(path);
    if (located.error.empty() && located.path != path)
      real_names.push_back(std::move(located.path));
  }
  std::vector<std::string>& refused = policy.arguments.refuse_paths;
  refused.insert(refused.end(), std::make_move_iterator(real_names.begin()),
                 std::make_move_iterator(real_names.end()));
  return policy;
}

std::vector<std::string> protection_notices(const Plan& plan) {
  std::vector<std::string> out;
  for (const auto& [file, origin] : plan.inputs) {
    out.push_back(concat(origin, ": ", quote(file.path),
                         " lies where the command may write; this run protects it from changes"));
  }
  return out;
}

std::string plan_line(const Plan& plan) {
  const auto* namespaces = plan.part<NamespacesPlan>();
  return concat("tier ", to_string(plan.tier), ", program ", quote(plan.program.file.path),
                ", cwd ", quote(namespaces != nullptr ? namespaces->root.cwd : plan.cwd.path),
                ", network ", plan.network.is_isolated() ? "refused" : "not isolated");
}

}  // namespace bawn
