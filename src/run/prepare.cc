#include "run/prepare.h"

#include <cstdlib>
#include <iterator>
#include <utility>
#include <variant>

#include "base/text.h"
#include "host/cgroup_place.h"
#include "host/probe.h"
#include "linux/path_lookup.h"
#include "policy/policy_check.h"
#include "validate/validate.h"

namespace bawn {
namespace {

std::optional<std::string> process_env(std::string_view name) {
  const char* value = std::getenv(std::string(name).c_str());
  if (value == nullptr) return std::nullopt;
  return std::string(value);
}

void append(Violations& to, Violations from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

Violations as_violations(const std::string& code, const std::vector<json::Problem>& problems) {
  Violations out;
  for (const json::Problem& problem : problems) {
    out.push_back({code, problem.where, problem.message, problem.hint});
  }
  return out;
}

std::string workspace_of(const Policy& policy, const RunOptions& options) {
  if (policy.workspace.mode == WorkspaceMode::private_dir) return "";
  return policy.workspace.root.empty() ? options.workspace : policy.workspace.root;
}

// Relative ones would mean something else with every directory, and what does not exist holds no program.
std::vector<std::string> directories_of(std::string_view path, const PathLookup& lookup) {
  std::vector<std::string> out;
  for (const std::string_view entry : split(path, ':')) {
    if (!entry.starts_with('/')) continue;
    Located located = lookup.locate(entry);
    if (located.kind == FileKind::directory) out.push_back(std::move(located.path));
  }
  return out;
}

// Costs some reads of small files, so only for a policy that has a use for it. A host that has no controller for processor
// time may still have the others. If there is a reason already, an attempt has shown that there is no place.
void look_for_cgroups(const Limits& limits, HostFacts& host, Stopwatch& stopwatch) {
  const CgroupWish wish = cgroup_wish(limits);
  if (wish.empty() || !host.cgroup_reason.empty()) return;
  const CgroupView view = CgroupView::of_this_process();
  auto place = find_cgroup_place(view, wish.controllers, wish.parent);
  if (!place) {
    host.cgroup_reason = place.error().message;
    CgroupControllers fewer = wish.controllers;
    const bool has_cpu = std::erase(fewer, CgroupController::cpu) != 0;
    if (has_cpu && !fewer.empty() && !wish.insists) place = find_cgroup_place(view, fewer, std::nullopt);
  }
  if (place) host.cgroup_place = std::move(place).value();
  stopwatch.lap("cgroup_place");
}

}  // namespace

std::string caller_variable(const RunOptions& options, std::string_view name) {
  return (options.caller_env ? options.caller_env(name) : process_env(name)).value_or("");
}

Prepared weigh_words(const Policy& policy, const Request& request, RequestSource source, HostFacts host) {
  Prepared prepared;
  prepared.violations = as_violations("policy.invalid", check_policy(policy));
  append(prepared.violations, as_violations("request.invalid", check_request(request, source)));
  prepared.words_are_valid = prepared.violations.empty();
  if (!prepared.words_are_valid) return prepared;

  prepared.host = std::move(host);
  const auto tier = choose_tier(policy, prepared.host);
  if (const auto* unavailable = std::get_if<Violation>(&tier)) {
    prepared.violations.push_back(*unavailable);
  } else {
    prepared.tier = std::get<Tier>(tier);
  }
  return prepared;
}

void judge_and_plan(Prepared& prepared, const Policy& policy, const Request& request, RunIdentity identity,
                    const RunOptions& options, Stopwatch& stopwatch) {
  const Tier tier = prepared.tier.value_or(policy.tier.floor);
  const FileSystemLookup lookup;
  if (policy.executables.caller_path && tier == Tier::c && !policy.identity.uid) {
    identity.search = directories_of(caller_variable(options, "PATH"), lookup);
  }
  const ValidationContext context{.tier = tier,
                                  .lookup = &lookup,
                                  .workspace = workspace_of(policy, options),
                                  .search = identity.search,
                                  .caller_env = options.caller_env ? options.caller_env : process_env};
  Verdict verdict = validate(policy, request, context);
  stopwatch.lap("validate");
  const bool allowed = verdict.allowed();
  append(prepared.violations, verdict.violations);
  if (!allowed) prepared.tier.reset();
  if (!prepared.tier) return;

  look_for_cgroups(policy.limits, prepared.host, stopwatch);
  const bool counts_tasks = policy.limits.processes && tier == Tier::b && !prepared.host.cgroup_place;
  if (counts_tasks) prepared.host.user_tasks = probe_user_tasks();
  Planned planned = plan_run(policy, request, verdict, tier, identity, prepared.host, lookup);
  append(prepared.violations, std::move(planned.violations));
  prepared.plan = std::move(planned.plan);
  if (auto filter = choose_filter(prepared.plan, caller_variable(options, "XDG_RUNTIME_DIR"))) {
    prepared.filter = std::move(filter).value();
  } else {
    prepared.violations.push_back({"system_calls.profile", policy.system_calls.profile,
                                   filter.error().message,
                                   "correct the profile, or use \"default\" or \"strict\""});
  }
  stopwatch.lap("plan");
}

}  // namespace bawn
