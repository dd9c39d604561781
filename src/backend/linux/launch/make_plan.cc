#include "backend/linux/launch/make_plan.h"

#include <utility>

#include "backend/linux/lookup/path_lookup.h"
#include "backend/linux/stdio/stdio_file.h"
#include "base/text.h"
#include "host/cgroup_place.h"
#include "host/probe.h"
#include "host/setup_error.h"
#include "host/system_paths.h"
#include "plan/stdio_plan.h"
#include "policy/policy.h"
#include "run/unix/process.h"
#include "validate/guest_paths.h"
#include "validate/validate.h"

namespace bawn::linux_ {
namespace {

// Reads several small files, so it is done only for a policy that needs a cgroup, and not if the
// host is known to have no place. Without the cpu controller the others may still be available. An
// error that does not prove the lack of a place is returned.
Result<void> look_for_cgroups(const Limits& limits, LimitFacts& facts, Stopwatch& stopwatch) {
  const CgroupWish wish = cgroup_wish(limits);
  if (wish.empty() || !facts.cgroup_reason.empty()) return {};
  const CgroupView view = CgroupView::of_this_process();
  auto place = find_cgroup_place(view, wish.controllers, wish.parent);
  if (!place) {
    if (judge_cgroup(place.error().sys_errno) != SetupError::impossible)
      return place.error().within("find a directory for a cgroup");
    facts.cgroup_reason = place.error().message;
    CgroupControllers fewer = wish.controllers;
    const bool has_cpu = std::erase(fewer, CgroupController::cpu) != 0;
    if (has_cpu && !fewer.empty() && !wish.insists)
      place = find_cgroup_place(view, fewer, std::nullopt);
  }
  if (place) facts.cgroup_place = std::move(place).value();
  stopwatch.lap("cgroup_place");
  return {};
}

Result<LimitFacts> probe_limits(const Limits& limits, Tier tier, const HostFacts& host,
                                Stopwatch& stopwatch) {
  LimitFacts facts{.cgroup_reason = host.cgroup_reason};
  BAWN_TRY(look_for_cgroups(limits, facts, stopwatch));
  if (!limits.processes || tier != Tier::b || facts.cgroup_place) return facts;
  const auto tasks = probe_user_tasks();
  if (!tasks) return tasks.error().within("count the user's tasks");
  facts.user_tasks = tasks.value();
  return facts;
}

// Mistakes in a profile of the user's are violations.
RunFilter take_filter(RunPlan& run_plan) {
  const FilterPlan* wanted = run_plan.plan.filter();
  if (wanted == nullptr) return {};
  auto filter = load_filter(*wanted);
  if (filter) return std::move(filter).value();
  if (is_shortage(filter.error().sys_errno)) {
    run_plan.fail(filter.error());
    return {};
  }
  for (const std::string_view mistake : split(filter.error().message, '\n')) {
    run_plan.refuse({{"system_calls.profile", wanted->name, std::string(mistake),
                      "correct the profile, or use \"default\" or \"strict\""}});
  }
  return {};
}

// The caller's tools often lie where only the caller can go.
bool reaches_tools(const RunUser& user, const IdentityPolicy& identity) {
  return user.by_trees || (!identity.uid && user.origin != HostIdOrigin::workspace_owner);
}

void take_stdio(const Request& request, const RunOptions& options, RunPlan& run_plan) {
  const bool captures_all = options.stdio == StdioMode::capture;
  const StdioWish wish{.input_is_callers = !captures_all,
                       .outputs_are_callers = options.stdio == StdioMode::pass,
                       .input_is_pipe = captures_all && options.input_pipe,
                       .input_is_text = captures_all && request.stdin_text.has_value(),
                       .init_opens_files = run_plan.host->init_opens_files};
  auto callers = look_at_callers(run_plan.plan, wish);
  if (!callers) return run_plan.fail(callers.error());
  auto stdio = plan_stdio(run_plan.plan, wish, std::move(callers).value());
  if (!stdio) return run_plan.fail(stdio.error());
  run_plan.plan.stdio = std::move(stdio).value();
}

}  // namespace

RunFilter make_plan(RunPlan& run_plan, const Policy& policy, const Request& request,
                    RunIdentity identity, const RunOptions& options, Stopwatch& stopwatch) {
  if (const int lacking = run_plan.host->id_ranges.shortage; lacking != 0) {
    run_plan.fail(system_error(lacking, "look for id ranges"));
    return {};
  }
  const auto caller_env = environment_of(options);
  identity.inputs = options.inputs;
  const Tier tier = run_plan.tier.value_or(policy.tier.floor);
  const FileSystemLookup lookup;
  const std::string workspace = workspace_of(policy, options);
  const std::string home = real_home(caller_env("HOME"), lookup);
  std::optional<WorkspaceScope> looked;
  if (policy.executables.caller_path && run_plan.setup &&
      reaches_tools(run_plan.setup->user, policy.identity)) {
    looked = look_at_workspace(policy, workspace, lookup);
    identity.search =
        directories_among(split(caller_env("PATH").value_or(""), ':'), lookup, looked->scope, home);
  }
  const ValidationContext context{.tier = tier,
                                  .lookup = &lookup,
                                  .workspace = workspace,
                                  .home = home,
                                  .system = {kShownPaths.begin(), kShownPaths.end()},
                                  .search = identity.search,
                                  .lists_executables = tier != Tier::unconfined,
                                  .looked = std::move(looked),
                                  .caller_env = caller_env};
  const Verdict verdict = validate(with_real_names_added(policy, lookup), request, context);
  stopwatch.lap("validate");
  if (run_plan.failed_to_look(lookup)) return {};
  if (!run_plan.admits(verdict, policy)) return {};

  const auto limits = probe_limits(policy.limits, tier, *run_plan.host, stopwatch);
  if (!limits) {
    run_plan.fail(limits.error());
    return {};
  }
  run_plan.take(plan_run({.policy = policy,
                          .request = request,
                          .verdict = verdict,
                          .tier = tier,
                          .identity = identity,
                          .host = *run_plan.host,
                          .limits = limits.value(),
                          .setup = run_plan.setup_or_null(),
                          .lookup = lookup}));
  if (run_plan.failed_to_look(lookup)) return {};
  RunFilter filter = take_filter(run_plan);
  if (run_plan.violations.empty() && !run_plan.failure) take_stdio(request, options, run_plan);
  stopwatch.lap("plan");
  return filter;
}

}  // namespace bawn::linux_
