#include "backend/linux/launch/make_plan.h"

#include <utility>

#include "backend/linux/lookup/path_lookup.h"
#include "base/text.h"
#include "host/cgroup_place.h"
#include "host/probe.h"
#include "host/setup_error.h"
#include "host/system_paths.h"
#include "policy/policy.h"
#include "run/unix/process.h"
#include "validate/guest_paths.h"
#include "validate/validate.h"

namespace bawn::linux_ {
namespace {

// Reads several small files, so it is done only for a policy that needs a cgroup. A reason that is
// set already means that an earlier attempt has found no place. Without the cpu controller the
// others may still be available. An error that does not prove the lack of a place is returned.
Result<void> look_for_cgroups(const Limits& limits, HostFacts& host, Stopwatch& stopwatch) {
  const CgroupWish wish = cgroup_wish(limits);
  if (wish.empty() || !host.cgroup_reason.empty()) return {};
  const CgroupView view = CgroupView::of_this_process();
  auto place = find_cgroup_place(view, wish.controllers, wish.parent);
  if (!place) {
    if (judge_cgroup(place.error().sys_errno) != SetupError::impossible)
      return place.error().within("find a directory for a cgroup");
    host.cgroup_reason = place.error().message;
    CgroupControllers fewer = wish.controllers;
    const bool has_cpu = std::erase(fewer, CgroupController::cpu) != 0;
    if (has_cpu && !fewer.empty() && !wish.insists)
      place = find_cgroup_place(view, fewer, std::nullopt);
  }
  if (place) host.cgroup_place = std::move(place).value();
  stopwatch.lap("cgroup_place");
  return {};
}

// Facts that only some limits need.
Result<void> look_at_host(const Limits& limits, Tier tier, HostFacts& host, Stopwatch& stopwatch) {
  BAWN_TRY(look_for_cgroups(limits, host, stopwatch));
  if (!limits.processes || tier != Tier::b || host.cgroup_place) return {};
  const auto tasks = probe_user_tasks();
  if (!tasks) return tasks.error().within("count the user's tasks");
  host.user_tasks = tasks.value();
  return {};
}

}  // namespace

RunFilter make_plan(RunPlan& run_plan, const Policy& policy, const Request& request,
                    RunIdentity identity, const RunOptions& options, Stopwatch& stopwatch) {
  if (const int lacking = run_plan.host.id_ranges.shortage; lacking != 0) {
    run_plan.fail(system_error(lacking, "look for id ranges"));
    return {};
  }
  const auto caller_env = environment_of(options);
  identity.inputs = options.inputs;
  const Tier tier = run_plan.tier.value_or(policy.tier.floor);
  const FileSystemLookup lookup;
  const std::string workspace = workspace_of(policy, options);
  const std::string home = real_home(caller_env("HOME"), lookup);
  if (policy.executables.caller_path && tier == Tier::c && !policy.identity.uid) {
    identity.search = directories_among(
        split(caller_env("PATH").value_or(""), ':'), lookup,
        make_scope(policy.workspace.mode, policy.filesystem, lookup.locate(workspace), lookup),
        home);
  }
  const ValidationContext context{.tier = tier,
                                  .lookup = &lookup,
                                  .workspace = workspace,
                                  .home = home,
                                  .system = {kShownPaths.begin(), kShownPaths.end()},
                                  .search = identity.search,
                                  .caller_env = caller_env};
  const Verdict verdict = validate(with_real_names_added(policy, lookup), request, context);
  stopwatch.lap("validate");
  if (run_plan.failed_to_look(lookup)) return {};
  if (!run_plan.admits(verdict, policy)) return {};

  if (auto looked = look_at_host(policy.limits, tier, run_plan.host, stopwatch); !looked) {
    run_plan.fail(looked.error());
    return {};
  }
  run_plan.take(plan_run(policy, request, verdict, tier, identity, run_plan.host, lookup));
  if (run_plan.failed_to_look(lookup)) return {};
  auto filter = choose_filter(run_plan.plan);
  stopwatch.lap("plan");
  if (filter) return std::move(filter).value();
  if (is_shortage(filter.error().sys_errno)) {
    run_plan.fail(filter.error());
    return {};
  }
  for (const std::string_view mistake : split(filter.error().message, '\n')) {
    run_plan.refuse({{"system_calls.profile", policy.system_calls.profile, std::string(mistake),
                      "correct the profile, or use \"default\" or \"strict\""}});
  }
  return {};
}

}  // namespace bawn::linux_
