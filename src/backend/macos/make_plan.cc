#include "backend/macos/macos_backend.h"
#include "backend/posix/path_lookup.h"
#include "base/text.h"
#include "host/probe.h"
#include "policy/policy.h"
#include "run/unix/process.h"
#include "validate/validate.h"

namespace bawn::macos {

// Everything is decided here before anything runs; files are looked up and not changed.
void MacosBackend::make_plan(const RunInput& input, const RunIdentity& given, RunPlan& run_plan) {
  const auto& [policy, request, options, context_of_run] = input;
  RunIdentity identity = given;
  const auto caller_env = environment_of(options);
  identity.inputs = options.inputs;
  const posix::UnixLookup lookup;
  const Tier tier = run_plan.tier.value_or(policy.tier.floor);
  // Canonical, because a profile compares canonical paths.
  identity.home = real_home(caller_env("HOME"), lookup);
  const std::string workspace = workspace_of(policy, options);
  std::optional<WorkspaceScope> looked;
  if (policy.executables.caller_path) {
    looked = look_at_workspace(policy, workspace, lookup);
    identity.search = directories_among(split(caller_env("PATH").value_or(""), ':'), lookup,
                                        looked->scope, identity.home);
  }
  const Policy seen = with_canonical_paths(policy, lookup);
  const ValidationContext context{
      .tier = tier,
      .lookup = &lookup,
      .workspace = workspace,
      .home = identity.home,
      .system = {run_plan.host->system_paths.begin(), run_plan.host->system_paths.end()},
      .search = identity.search,
      .looked = std::move(looked),
      .caller_env = caller_env};
  const Verdict verdict = validate(seen, request, context);
  context_of_run.stopwatch().lap("validate");
  if (run_plan.failed_to_look(lookup)) return;
  if (!run_plan.admits(verdict, policy)) return;
  LimitFacts limits{.cgroup_reason = run_plan.host->cgroup_reason};
  if (policy.limits.processes) {
    const auto tasks = probe_user_tasks();
    if (!tasks) return run_plan.fail(tasks.error().within("count the user's tasks"));
    limits.user_tasks = tasks.value();
  }
  run_plan.take(plan_run({.policy = seen,
                          .request = request,
                          .verdict = verdict,
                          .tier = tier,
                          .identity = identity,
                          .host = *run_plan.host,
                          .limits = limits,
                          .setup = run_plan.setup_or_null(),
                          .lookup = lookup}));
  if (run_plan.failed_to_look(lookup)) return;
  context_of_run.stopwatch().lap("plan");
}

}  // namespace bawn::macos
