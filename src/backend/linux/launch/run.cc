#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "backend/linux/cgroup/guard.h"
#include "backend/linux/cgroup/outer_memory.h"
#include "backend/linux/landlock/ruleset.h"
#include "backend/linux/launch/conclude.h"
#include "backend/linux/launch/launch.h"
#include "backend/linux/launch/launch_steps.h"
#include "backend/linux/launch/make_plan.h"
#include "backend/linux/launch/supervisor.h"
#include "backend/linux/lookup/path_lookup.h"
#include "backend/linux/stdio/run_stdio.h"
#include "backend/linux/terminal/terminal_nodes.h"
#include "base/text.h"
#include "host/id_range_probe.h"
#include "host/probe.h"
#include "host/setup_error.h"
#include "outcome/denial.h"
#include "run/bawn.h"
#include "run/failure.h"
#include "run/identity.h"
#include "run/plan_preview.h"
#include "run/post_run_checks.h"
#include "run/run_context.h"
#include "run/run_plan.h"
#include "run/unix_process.h"
#include "supervise/ending.h"

namespace bawn {
namespace linux_ {
namespace {

// Adds the facts about filter and Landlock to the preview.
void ask_layers(const RunFilter& filter, PlanPreview& preview) {
  if (preview.plan.tier == Tier::unconfined) return;
  preview.filter = {filter.name, filter.code().size(), filter.hash};
  // In tier c nothing can be reached through these gaps, because of the mounts.
  if (preview.plan.tier != Tier::b) return;
  for (LandlockGap& gap : landlock_gaps(preview.host.landlock_abi))
    preview.gaps.push_back({std::move(gap.layer), std::move(gap.why)});
}

// Adds `hint`, which is empty unless the host is only short of something.
Outcome could_not_start(const Error& error, std::string_view hint) {
  Outcome outcome = not_started(error);
  if (outcome.error->hint.empty()) outcome.error->hint = hint;
  return outcome;
}

Outcome no_cgroup(const Error& error) {
  return could_not_start(error, cgroup_shortage_hint(error.sys_errno));
}

HostFacts probe_for(const Policy& policy) {
  HostFacts host = probe_host();
  if (policy.identity.id_ranges) host.id_ranges = probe_id_ranges(host.uid);
  return host;
}

class Runner {
 public:
  Runner(const Policy& policy, Request request, const RunOptions& options)
      : policy_(policy),
        request_(std::move(request)),
        options_(options),
        context_(options, request_.run_id) {}

  Outcome sealed_run() { return context_.sealed(run()); }

 private:
  Outcome run() {
    if (const auto open = require_stdio(options_.stdio); !open) return not_started(open.error());
    const auto random = random_bytes();
    if (!random) return not_started(random.error());
    identity_ = fresh_identity(request_, random.value());
    identity_.home = environment_of(options_)("HOME").value_or("");
    identity_.terminals = CallerTerminal::stdio(borrowed_files(options_.stdio));
    context_.address(identity_.run_id, normalise_request(request_));
    HostFacts host = probe_for(policy_);
    context_.stopwatch().lap("probe");
    Outcome outcome = try_once(host);
    while (give_up_what_is_lacking(host)) outcome = try_once(host);
    return outcome;
  }

  // Whether the policy accepts a run without the thing that the last attempt lacked. If so, `host`
  // no longer offers it, and the run is tried again.
  bool give_up_what_is_lacking(HostFacts& host) {
    if (!no_namespaces_.empty() && host.tier_c && accepts_tier_b()) {
      context_.log(concat("no namespaces, so tier b: ", no_namespaces_));
      host.tier_c = false;
      host.tier_c_reason = no_namespaces_;
      return true;
    }
    if (!no_cgroup_.empty() && host.cgroup_reason.empty() && policy_.limits.cgroup_parent.empty()) {
      context_.log(concat("no cgroup, so rlimits: ", no_cgroup_));
      host.cgroup_reason = no_cgroup_;
      return true;
    }
    // A relay gives the command no more access to the file than opening it by its name.
    if (std::exchange(no_stdio_files_, false) && init_opens_files_) {
      context_.log(
          "the caller's file cannot be opened again by its path, so its bytes are relayed");
      init_opens_files_ = false;
      return true;
    }
    return false;
  }

  [[nodiscard]] bool accepts_tier_b() const {
    return policy_.tier.use == TierChoice::automatic && policy_.tier.floor <= Tier::b;
  }

  // Init makes its namespaces and the base mounts while the request is judged. If the request is
  // denied, init ends without an exec message.
  Outcome try_once(const HostFacts& host) {
    run_plan_ = check_input(policy_, request_, options_.source, host);
    if (!run_plan_.input_is_valid) return denied();
    std::optional<InitProcess> init;
    if (run_plan_.tier) {
      auto started = InitProcess::start(namespaces_for(*run_plan_.tier));
      if (!started) return not_launched(started.error());
      init.emplace(std::move(started).value());
      context_.stopwatch().lap(init->was_made_by_clone3() ? "init" : "init_by_clone");
      if (auto laid = begin_setup(*init, host); !laid) return not_launched(laid.error());
      if (run_plan_.tier == Tier::c) run_plan_.host.namespaces = probe_namespaces();
    }
    filter_ = make_plan(run_plan_, policy_, request_, identity_, options_, context_.stopwatch());
    if (run_plan_.failure) return no_cgroup(*run_plan_.failure);
    if (!run_plan_.violations.empty()) return denied();
    if (context_.is_logging()) context_.log(plan_line(run_plan_.plan));
    give_notice();
    return launch_and_supervise(*std::move(init));
  }

  // Prints the notices once, however many attempts the run takes.
  void give_notice() {
    if (!options_.notice || std::exchange(has_given_notice_, true)) return;
    for (const std::string& line : protection_notices(run_plan_.plan)) options_.notice(line);
  }

  // Do not start set-up for a user that the planner will reject.
  Result<void> begin_setup(InitProcess& init, const HostFacts& host) {
    if (run_plan_.tier != Tier::c) return {};
    const NamespacePlan namespace_plan = plan_namespaces(policy_, host);
    if (objection_to(namespace_plan.user, policy_.identity, host)) return {};
    return send_setup(init, namespace_plan, host, patience(), context_.stopwatch());
  }

  // Id mapping is bounded by the run's wall-time limit.
  [[nodiscard]] MappingWait patience() const {
    MappingWait wait{.cancel_fd = options_.cancel_fd};
    const auto most = static_cast<std::uint64_t>(wait.most.count());
    wait.most =
        std::chrono::milliseconds(std::min(most, policy_.limits.wall_time_ms.value_or(most)));
    return wait;
  }

  [[nodiscard]] NamespaceSet namespaces_for(Tier tier) const {
    if (tier != Tier::c) return NamespaceSet::none;
    return refuses_network(policy_.egress) ? NamespaceSet::new_netns : NamespaceSet::shared_netns;
  }

  Outcome denied() {
    context_.log(concat("denied: ", run_plan_.violations.size(), " violations"));
    return denied_outcome("", run_plan_.violations);
  }

  // A private terminal that was asked for although the caller has no terminal.
  [[nodiscard]] init::TerminalOrder unattended_terminal() const {
    return {.wanted = true,
            .foreground = true,
            .has_modes = false,
            .led_by_command = run_plan_.plan.terminal.led_by_command,
            .stdio = static_cast<std::uint8_t>(run_plan_.plan.terminal.stdio),
            .size = {.rows = 24, .columns = 80, .x_pixels = 0, .y_pixels = 0},
            .modes = {}};
  }

  // Opens the caller's side of a private terminal, if that replaces the caller's terminal.
  Result<void> open_terminal(std::optional<TerminalSession>& terminal) const {
    if (run_plan_.plan.terminal.use != TerminalUse::own || identity_.terminals == 0) return {};
    BAWN_ASSIGN(TerminalSession opened,
                TerminalSession::open(run_plan_.plan.terminal, options_.terminal));
    terminal.emplace(std::move(opened));
    return {};
  }

  Outcome launch_and_supervise(InitProcess init) {
    // Taken before the command can change them. The destructor restores them if the run ends early.
    std::optional<TerminalNodes> nodes;
    if (run_plan_.plan.tier == Tier::b) {
      auto found = TerminalNodes::of_caller();
      if (!found) return not_started(found.error().within("look at the caller's terminals"));
      nodes.emplace(std::move(found).value());
    }
    std::optional<TerminalSession> terminal;
    if (auto opened = open_terminal(terminal); !opened) return not_started(opened.error());
    RunStdio run_stdio(policy_, run_plan_.plan);
    if (auto opened = run_stdio.open(stdio_demand(terminal), request_); !opened)
      return not_started(opened.error());
    run_plan_.plan.stdio = run_stdio.routes();
    Stdio stdio = run_stdio.command_ends();
    if (run_plan_.plan.terminal.use == TerminalUse::own) {
      stdio.terminal = terminal ? terminal->order() : unattended_terminal();
    }
    auto tools = make_supervision_tools(options_.cancel_fd);
    if (!tools) return not_started(tools.error().within("supervise"));
    std::optional<CgroupGuard> cgroup;
    if (auto made = make_cgroup(cgroup); !made) return no_cgroup(made.error());
    auto launched =
        launch(run_plan_.plan, filter_, run_plan_.host, stdio, cgroup ? &cgroup->run() : nullptr,
               std::move(init), context_.stopwatch());
    if (!launched) return not_launched(launched.error());
    run_stdio.close_child_ends();

    const Supervision supervision{.limits = run_plan_.plan.limits,
                                  .cancel_fd = options_.cancel_fd,
                                  .pump = run_stdio.pump(),
                                  .terminal = terminal ? &*terminal : nullptr,
                                  .control = &options_.terminal,
                                  .cgroup = cgroup ? &cgroup->run() : nullptr,
                                  .stopwatch = &context_.stopwatch()};
    // Read now, because init starts the command meanwhile.
    const OuterMemory outer_before =
        read_outer_memory(CgroupView::of_this_process(), run_plan_.plan.cgroup);
    const auto supervised =
        supervise(std::move(launched).value(), supervision, std::move(tools).value());
    if (!supervised) return with_post_run_checks(given_up(supervised.error()), nodes);
    context_.log(concat("ended: ", to_string(supervised.value().run.ending)));
    if (const auto& failure = supervised.value().failure) {
      no_namespaces_ = lack_of_namespaces(*failure, read_namespace_limits());
      no_cgroup_ = lack_of_cgroup(*failure);
      if (failure->step == init::Step::open_stdio) no_stdio_files_ = true;
    }
    if (const auto& first =
            supervised.value().start ? supervised.value().start : supervised.value().failure)
      add_init_steps(*first, context_.stopwatch());
    std::optional<CgroupSummary> counted;
    if (cgroup) counted = cgroup->summary();
    Outcome outcome = conclude(supervised.value(), run_plan_.plan, filter_, run_plan_.host, counted,
                               outer_kill(supervised.value(), outer_before, counted));
    run_stdio.record(read_position(supervised.value()), run_plan_.plan.limits, outcome);
    return with_post_run_checks(std::move(outcome), nodes);
  }

  [[nodiscard]] StdioDemand stdio_demand(const std::optional<TerminalSession>& terminal) const {
    return {.mode = options_.stdio,
            .tier = run_plan_.plan.tier,
            .terminal = run_plan_.plan.terminal,
            .terminal_fd = terminal ? terminal->output_fd() : -1,
            .output_bytes = policy_.limits.output_bytes,
            .most_file_bytes = run_plan_.plan.limits.file_bytes,
            .init_opens_files = init_opens_files_};
  }

  static std::optional<std::int64_t> read_position(const Supervised& supervised) {
    if (supervised.last.stdin_position == init::kNoPosition) return std::nullopt;
    return supervised.last.stdin_position;
  }

  // Checked only after a SIGKILL that bawn did not send.
  [[nodiscard]] std::optional<OuterKill> outer_kill(
      const Supervised& supervised, const OuterMemory& before,
      const std::optional<CgroupSummary>& counted) const {
    const int status = supervised.wait_status.value_or(0);
    const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    if (supervised.run.ending != Ending::exited || !killed) return std::nullopt;
    return find_outer_kill(before,
                           read_outer_memory(CgroupView::of_this_process(), run_plan_.plan.cgroup),
                           counted ? counted->counts.oom_kills : std::nullopt);
  }

  // For every ending after which the command may have run.
  [[nodiscard]] Outcome with_post_run_checks(Outcome outcome,
                                             std::optional<TerminalNodes>& nodes) const {
    report_created(run_plan_.plan, FileSystemLookup(), outcome);
    if (!nodes) return outcome;
    for (TerminalNodes::Change& change : nodes->restore()) {
      outcome.violations.push_back(
          {"terminal.rights_changed", change.path,
           concat("during the run the terminal ", quote(change.path), " ", change.what),
           "try --tier namespaces (policy key: tier.use), in which the command cannot open the "
           "caller's terminal"});
    }
    return outcome;
  }

  Result<void> make_cgroup(std::optional<CgroupGuard>& cgroup) {
    if (!run_plan_.plan.cgroup) return {};
    auto made = CgroupGuard::make(*run_plan_.plan.cgroup);
    context_.stopwatch().lap("cgroup");
    if (!made) {
      if (made.error().kind == ErrorKind::unsupported) no_cgroup_ = made.error().message;
      return made.error();
    }
    cgroup.emplace(std::move(made).value());
    return {};
  }

  Outcome not_launched(const Error& error) {
    if (error.kind == ErrorKind::unsupported) no_namespaces_ = error.message;
    Outcome outcome = could_not_start(error.within("launch"), shortage_hint(error.sys_errno));
    if (error.kind == ErrorKind::cancelled) name_ending(Ending::cancelled, policy_.limits, outcome);
    return outcome;
  }

  const Policy& policy_;
  Request request_;
  const RunOptions& options_;
  RunContext context_;
  RunIdentity identity_;
  RunPlan run_plan_;
  RunFilter filter_;
  bool has_given_notice_ = false;
  std::string no_namespaces_;     // why tier c is impossible; set only if nothing ran
  std::string no_cgroup_;         // why a cgroup is impossible; likewise
  bool no_stdio_files_ = false;   // init could not open one of the caller's files; likewise
  bool init_opens_files_ = true;  // false once that has failed
};

}  // namespace
}  // namespace linux_

Outcome run(const Policy& policy, Request request, const RunOptions& options) {
  return linux_::Runner(policy, std::move(request), options).sealed_run();
}

PlanPreview plan_only(const Policy& policy, Request& request, const RunOptions& options) {
  Stopwatch nobody_asked;
  RunIdentity identity = unnamed_identity(request);
  identity.home = environment_of(options)("HOME").value_or("");
  std::vector<std::string> repairs = normalise_request(request);
  RunPlan run_plan = check_input(policy, request, options.source, linux_::probe_for(policy));
  linux_::RunFilter filter;
  if (run_plan.input_is_valid)
    filter = linux_::make_plan(run_plan, policy, request, identity, options, nobody_asked);
  if (run_plan.failure) {
    const Error& error = *run_plan.failure;
    run_plan.refuse({unplanned(error, cgroup_shortage_hint(error.sys_errno))});
  }
  PlanPreview preview{.checked = {std::move(run_plan.violations), std::move(repairs), run_plan.tier,
                                  run_plan.failure.has_value()},
                      .plan = std::move(run_plan.plan),
                      .host = std::move(run_plan.host)};
  if (preview.checked.allowed()) linux_::ask_layers(filter, preview);
  return preview;
}

Checked check(const Policy& policy, Request request, const RunOptions& options) {
  return plan_only(policy, request, options).checked;
}

}  // namespace bawn
