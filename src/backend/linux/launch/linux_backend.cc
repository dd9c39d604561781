#include "backend/linux/launch/linux_backend.h"

#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <utility>

#include "backend/linux/landlock/ruleset.h"
#include "backend/linux/launch/launch.h"
#include "backend/linux/launch/launch_steps.h"
#include "backend/linux/launch/make_plan.h"
#include "backend/linux/lookup/path_lookup.h"
#include "base/text.h"
#include "host/id_range_probe.h"
#include "host/probe.h"
#include "host/setup_error.h"
#include "run/identity.h"
#include "run/record/failure.h"
#include "run/record/post_run_checks.h"
#include "run/unix/process.h"
#include "supervise/ending.h"

namespace bawn::linux_ {
namespace {

// Adds `hint`, which is empty unless the host is only short of something.
Outcome could_not_start(const Error& error, std::string_view hint) {
  Outcome outcome = not_started(error);
  if (outcome.error->hint.empty()) outcome.error->hint = hint;
  return outcome;
}

NamespaceSet namespaces_for(Tier tier, const Policy& policy) {
  if (tier != Tier::c) return NamespaceSet::none;
  return refuses_network(policy.egress) ? NamespaceSet::new_netns : NamespaceSet::shared_netns;
}

// Root if the workspace is private or cannot be found.
FileOwner owner_of_workspace(const RunInput& input) {
  const std::string workspace = workspace_of(input.policy, input.options);
  return workspace.empty() ? FileOwner{} : FileSystemLookup().locate(workspace).owner;
}

std::span<const Fd> trees_of(const Attempt& attempt) {
  return attempt.trees ? std::span(attempt.trees->files()) : std::span<const Fd>();
}

RunIdentity identity_of(RunIdentity identity, const RunOptions& options) {
  identity.home = environment_of(options)("HOME").value_or("");
  identity.terminals = CallerTerminal::stdio(borrowed_files(options.stdio));
  return identity;
}

Result<void> let_init_be_mapped(InitProcess& init) {
  if (is_dumpable()) return {};
  BAWN_TRY(init.arrive());
  return await_dumpable(init.pid());
}

// A private terminal that was asked for although the caller has no terminal, or one of a plan that
// is only tried out.
init::TerminalOrder unattended_terminal(const TerminalPlan& plan) {
  return {.wanted = true,
          .foreground = true,
          .has_modes = false,
          .led_by_command = plan.led_by_command,
          .stdio = static_cast<std::uint8_t>(plan.stdio),
          .size = {.rows = 24, .columns = 80, .x_pixels = 0, .y_pixels = 0},
          .modes = {}};
}

}  // namespace

// ---- Before the request is judged ---------------------------------------------------------------

Result<RunIdentity> LinuxBackend::identify(const RunInput& input) {
  BAWN_TRY(require_stdio(input.options.stdio));
  BAWN_ASSIGN(const RandomBytes random, random_bytes());
  return identity_of(fresh_identity(input.request, random), input.options);
}

RunIdentity LinuxBackend::preview_identity(const RunInput& input) {
  return identity_of(unnamed_identity(input.request), input.options);
}

HostFacts LinuxBackend::probe(const RunInput& input) {
  const IdentityPolicy& identity = input.policy.identity;
  HostFacts host = probe_host();
  if (identity.id_ranges) host.id_ranges = probe_id_ranges(host.uid);
  if (!wants_host_id(identity, host.uid)) return host;
  host.host_ids.lack = probe_lack_of_ids();
  if (!lack_of_host_ids(host.capabilities, host.host_ids).empty())
    host.host_ids.workspace_owner = owner_of_workspace(input);
  return host;
}

// Init makes its namespaces and the base mounts while the request is judged. If the request is
// denied, init ends without an exec message.
Readiness LinuxBackend::set_up(const RunInput& input, RunPlan& plan) {
  stopwatch_ = &input.context.stopwatch();
  attempt_.reset();  // the old one ends before the new one begins: host limits may not allow both
  attempt_.emplace().plan = &plan;
  if (!events_) {
    auto events = RunEvents::create();
    if (!events) return {.outcome = not_started(events.error().within("supervise"))};
    events_.emplace(std::move(events).value());
  }
  return readiness_of(input, start_init(input));
}

Readiness LinuxBackend::continue_setup(const RunInput& input, bool cancelled) {
  return readiness_of(input, step_mapping(input, cancelled));
}

Readiness LinuxBackend::readiness_of(const RunInput& input, const Result<bool>& ready) {
  if (!ready) return {.outcome = not_launched(input, ready.error())};
  return {.pending = !ready.value()};
}

// True if init has all that it can get before the request is judged. Nothing is set up for a user
// that the planner will reject.
Result<bool> LinuxBackend::start_init(const RunInput& input) {
  const Tier tier = *attempt_->plan->tier;
  BAWN_ASSIGN(attempt_->init, InitProcess::start(namespaces_for(tier, input.policy)));
  stopwatch_->lap(attempt_->init->was_made_by_clone3() ? "init" : "init_by_clone");
  if (tier != Tier::c) return true;
  const RunUser& user = attempt_->plan->setup->user;
  if (!objection_to(user, input.policy.identity, host())) {
    BAWN_TRY(let_init_be_mapped(*attempt_->init));
    if (user.maps) return start_mapping(input);
    BAWN_TRY(map_own_ids(*attempt_->init, user));
    BAWN_TRY(tell_init(input));
  }
  attempt_->callers_namespaces = probe_namespaces();
  return true;
}

// Id mapping is bounded by the run's wall-time limit. A failure does not mean that namespaces are
// missing, so no other tier is tried: none of them would have id ranges.
Result<bool> LinuxBackend::start_mapping(const RunInput& input) {
  const auto most = static_cast<std::uint64_t>(kMappingTime.count());
  const std::chrono::milliseconds time(
      std::min(most, input.policy.limits.wall_time_ms.value_or(most)));
  BAWN_ASSIGN(attempt_->mapping,
              IdRangeMapping::start(attempt_->init->pid(), *attempt_->plan->setup->user.maps,
                                    host().id_ranges.mappers, time));
  return step_mapping(input, false);
}

Result<bool> LinuxBackend::step_mapping(const RunInput& input, bool cancelled) {
  BAWN_TRY(events_->ready());  // resets the timer
  const int before = attempt_->mapping->fd();
  // The descriptor that step() closes may not be in the epoll yet.
  if (before >= 0) static_cast<void>(events_->forget(before));
  BAWN_ASSIGN(const bool mapped, attempt_->mapping->step(cancelled));
  if (!mapped) {
    const int now = attempt_->mapping->fd();
    if (now < 0) return step_mapping(input, cancelled);
    BAWN_TRY(events_->watch(now, RunEvents::Source::mapping));
    BAWN_TRY(events_->wake_at(attempt_->mapping->deadline()));
    return false;
  }
  attempt_->mapping.reset();
  stopwatch_->lap("id_ranges");
  BAWN_TRY(tell_init(input));
  attempt_->callers_namespaces = probe_namespaces();
  return true;
}

Result<void> LinuxBackend::tell_init(const RunInput& input) {
  return send_setup(*attempt_->init, *attempt_->plan->setup, host(), input.context.stopwatch());
}

Outcome LinuxBackend::not_launched(const RunInput& input, const Error& error) {
  if (error.kind == ErrorKind::unsupported)
    lacking_ = Lacking{Lacking::What::namespaces, error.message};
  Outcome outcome = could_not_start(error.within("launch"), shortage_hint(error.sys_errno));
  if (error.kind == ErrorKind::cancelled)
    name_ending(Ending::cancelled, input.policy.limits, outcome);
  return outcome;
}

// ---- The plan -----------------------------------------------------------------------------------

void LinuxBackend::make_plan(const RunInput& input, const RunIdentity& identity, RunPlan& plan) {
  if (!attempt_) attempt_.emplace().plan = &plan;
  attempt_->filter = linux_::make_plan(plan, input.policy, input.request, identity, input.options,
                                       input.context.stopwatch());
}

Outcome LinuxBackend::plan_failure(const Error& error) {
  return could_not_start(error, cgroup_shortage_hint(error.sys_errno));
}

void LinuxBackend::describe(PlanPreview& preview) {
  if (preview.plan.tier == Tier::unconfined) return;
  const RunFilter& filter = attempt_->filter;
  preview.filter = {filter.name, filter.code().size(), filter.hash};
  // In tier c nothing can be reached through these gaps, because of the mounts.
  if (preview.plan.tier != Tier::b) return;
  for (const LandlockGap& gap : landlock_gaps(preview.host.landlock_abi))
    preview.gaps.push_back({gap.layer, describe_gap(gap)});
}

// ---- The launch ---------------------------------------------------------------------------------

// Opens the caller's side of a private terminal, if that replaces the caller's terminal. A trial
// leaves the caller's terminal as it is. In tier b
// the command can reach the caller's own, so its state is taken before the command can change it.
Result<void> LinuxBackend::prepare_terminal(const RunInput& input) {
  if (plan().tier == Tier::b) {
    auto found = TerminalNodes::of_caller();
    if (!found) return found.error().within("look at the caller's terminals");
    attempt_->nodes.emplace(std::move(found).value());
  }
  if (!plan().terminal.replaces_callers || plan().trial) return {};
  BAWN_ASSIGN(TerminalSession opened,
              TerminalSession::open(plan().terminal, input.options.suspend));
  attempt_->terminal.emplace(std::move(opened));
  return {};
}

Result<void> LinuxBackend::prepare_stdio(const RunInput& input) {
  attempt_->stdio.emplace(input.policy, plan());
  const int terminal = attempt_->terminal ? attempt_->terminal->output_fd() : -1;
  BAWN_TRY(
      attempt_->stdio->open({.options = &input.options, .terminal_fd = terminal}, input.request));
  if (closes_input_) close_input();
  return {};
}

// Init cannot open the host's files as a user that owns nothing.
Result<void> LinuxBackend::make_trees(const RunInput& input) {
  const auto* namespaces = plan().part<NamespacesPlan>();
  if (namespaces == nullptr || !namespaces->user.by_trees) return {};
  auto made = attempt_->trees.emplace(namespaces->user).make(namespaces->root);
  stopwatch_->lap("mount_trees");
  if (!made && made.error().kind == ErrorKind::unsupported)
    lacking_ = Lacking{Lacking::What::host_id, made.error().message, owner_of_workspace(input)};
  return made;
}

Result<Stdio> LinuxBackend::command_stdio() {
  Stdio stdio = attempt_->stdio->command_ends();
  if (attempt_->trees && stdio.openings[0].origin == init::StdioOrigin::host_file) {
    BAWN_ASSIGN(attempt_->input, attempt_->trees->open_input(plan().stdio.files[0]));
    stdio.files[0] = attempt_->input.get();
    stdio.openings[0].origin = init::StdioOrigin::opened;
  }
  if (plan().terminal.use == TerminalUse::own)
    stdio.terminal =
        attempt_->terminal ? attempt_->terminal->order() : unattended_terminal(plan().terminal);
  return stdio;
}

Result<void> LinuxBackend::make_cgroup(RunContext& context) {
  if (!plan().cgroup || plan().trial) return {};
  auto made = CgroupGuard::make(*plan().cgroup);
  context.stopwatch().lap("cgroup");
  if (!made) {
    if (made.error().kind == ErrorKind::unsupported)
      lacking_ = Lacking{Lacking::What::cgroup, made.error().message};
    return made.error();
  }
  attempt_->cgroup.emplace(std::move(made).value());
  return {};
}

std::optional<Outcome> LinuxBackend::launch(const RunInput& input, RunPlan& run_plan) {
  if (auto ready = prepare_terminal(input); !ready) return not_started(ready.error());
  if (auto ready = prepare_stdio(input); !ready) return not_started(ready.error());
  if (auto made = make_trees(input); !made)
    return could_not_start(made.error().within("launch"), shortage_hint(made.error().sys_errno));
  auto stdio = command_stdio();
  if (!stdio) return not_started(stdio.error());
  if (auto made = make_cgroup(input.context); !made) return plan_failure(made.error());
  if (plan().handoff && !plan().trial) {
    attempt_->handoff.emplace(handoff::Watch::begin(*plan().handoff));
    stopwatch_->lap("handoff_before");
  }
  const RunCgroup* cgroup = attempt_->cgroup ? &attempt_->cgroup->run() : nullptr;
  auto launched =
      linux_::launch(run_plan.plan, attempt_->filter,
                     {.landlock_abi = host().landlock_abi,
                      .may_drop_bounding_set = host().capabilities.has(Capability::setpcap),
                      .callers_namespaces = attempt_->callers_namespaces,
                      .trees = trees_of(*attempt_)},
                     stdio.value(), cgroup, *std::exchange(attempt_->init, std::nullopt),
                     input.context.stopwatch());
  if (!launched) return not_launched(input, launched.error());
  attempt_->stdio->close_child_ends();
  attempt_->input.reset();
  attempt_->trees.reset();
  close_files(run_plan.plan);
  attempt_->live.emplace(
      std::move(launched).value(),
      LiveRun::Parts{.events = &*events_,
                     .pump = attempt_->stdio->pump(),
                     .terminal = attempt_->terminal ? &*attempt_->terminal : nullptr,
                     .suspend = &input.options.suspend,
                     .cgroup = cgroup});
  // Read now, because init starts the command meanwhile.
  attempt_->outer_before = read_outer_memory(CgroupView::of_this_process(), run_plan.plan.cgroup);
  return std::nullopt;
}

// ---- While the command runs ---------------------------------------------------------------------

Result<void> LinuxBackend::begin(Supervisor& supervisor) {
  return attempt_->live->begin(supervisor);
}

Result<void> LinuxBackend::wake_at(Supervisor::Moment moment) { return events_->wake_at(moment); }

Result<void> LinuxBackend::step(Supervisor& supervisor) {
  BAWN_ASSIGN(const std::vector<RunEvents::Source> ready, events_->ready());
  for (const RunEvents::Source source : ready) {
    if (supervisor.finished()) return {};
    BAWN_TRY(attempt_->live->handle(source, supervisor));
  }
  return {};
}

bool LinuxBackend::terminate() {
  attempt_->live->send(init::ControlCode::terminate);
  return true;
}

ProcessControl::Killed LinuxBackend::kill() {
  attempt_->live->send(init::ControlCode::kill);
  return Killed::told;
}

std::optional<std::uint64_t> LinuxBackend::cpu_time_us() {
  attempt_->live->send(init::ControlCode::ask_cpu_time);
  return std::nullopt;
}

Result<std::size_t> LinuxBackend::write_input(std::string_view bytes) {
  if (!attempt_->stdio) return std::size_t{0};  // the command has no files yet
  Pump* pump = attempt_->stdio->pump();
  return pump == nullptr ? Backend::write_input(bytes) : pump->write_input(bytes);
}

void LinuxBackend::close_input() {
  closes_input_ = true;
  if (attempt_->stdio && attempt_->stdio->pump() != nullptr) attempt_->stdio->pump()->close_input();
}

Result<void> LinuxBackend::resize(unsigned rows, unsigned columns) {
  return attempt_->live ? attempt_->live->resize(rows, columns) : Backend::resize(rows, columns);
}

Result<void> LinuxBackend::signal(RunSignal signal) {
  if (!attempt_->live) return unsupported_error("the command does not run");
  switch (signal) {
    case RunSignal::interrupt:
      attempt_->live->send(init::ControlCode::interrupt);
      break;
    case RunSignal::quit:
      attempt_->live->send(init::ControlCode::quit);
      break;
    case RunSignal::hang_up:
      attempt_->live->send(init::ControlCode::hang_up);
      break;
    case RunSignal::terminate:
      attempt_->live->send(init::ControlCode::terminate);
      break;
  }
  return {};
}

Result<void> LinuxBackend::job_signal(JobSignal signal, Supervisor& supervisor) {
  return attempt_->live->job_signal(signal, supervisor);
}

// ---- Its end ------------------------------------------------------------------------------------

// The outcome is made while init takes the root apart, if init owes it nothing.
std::chrono::milliseconds LinuxBackend::release(RunProgress& progress, bool gave_up) {
  const auto patience = attempt_->live->release(progress, gave_up);
  if (!gave_up && attempt_->live->owes_nothing(progress))
    attempt_->outcome = make_outcome(progress);
  if (attempt_->outcome) look_for_handoff(*attempt_->outcome);
  return patience;
}

bool LinuxBackend::is_gone(RunProgress& progress) { return attempt_->live->has_ended(progress); }

Outcome LinuxBackend::conclude(const RunProgress& progress) {
  return attempt_->outcome ? *std::move(attempt_->outcome) : make_outcome(progress);
}

Outcome LinuxBackend::make_outcome(const RunProgress& progress) {
  Supervised& ended = attempt_->live->ended();
  ended.run = progress;
  ended.callers_namespaces = attempt_->callers_namespaces;
  note_what_is_lacking();
  if (const auto& first = ended.start ? ended.start : ended.failure)
    add_init_steps(*first, *stopwatch_);
  std::optional<CgroupSummary> counted;
  if (attempt_->cgroup) counted = attempt_->cgroup->summary();
  Outcome outcome =
      linux_::conclude(ended, plan(), attempt_->filter, host(), counted, outer_kill(counted));
  std::optional<std::int64_t> read_to;
  if (ended.last.stdin_position != init::kNoPosition) read_to = ended.last.stdin_position;
  attempt_->stdio->record(read_to, plan().limits, outcome);
  return outcome;
}

void LinuxBackend::note_what_is_lacking() {
  const auto& failure = attempt_->live->ended().failure;
  if (!failure) return;
  if (std::string why = lack_of_namespaces(*failure, read_namespace_limits()); !why.empty())
    lacking_ = Lacking{Lacking::What::namespaces, std::move(why)};
  if (std::string why = lack_of_cgroup(*failure); !why.empty())
    lacking_ = Lacking{Lacking::What::cgroup, std::move(why)};
  if (failure->step == init::Step::open_stdio) lacking_ = Lacking{Lacking::What::stdio_files};
}

// Checked only after a SIGKILL that bawn did not send.
std::optional<OuterKill> LinuxBackend::outer_kill(
    const std::optional<CgroupSummary>& counted) const {
  const Supervised& ended = attempt_->live->ended();
  const int status = ended.wait_status.value_or(0);
  const bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  if (ended.run.ending != Ending::exited || !killed) return std::nullopt;
  return find_outer_kill(attempt_->outer_before,
                         read_outer_memory(CgroupView::of_this_process(), plan().cgroup),
                         counted ? counted->counts.oom_kills : std::nullopt);
}

// Once. No process of the run is alive, so this can be done while init takes the root apart.
void LinuxBackend::look_for_handoff(Outcome& outcome) {
  auto watch = std::exchange(attempt_->handoff, std::nullopt);
  if (!watch) return;
  outcome.handoff = watch->finish();
  stopwatch_->lap("handoff_after");
}

void LinuxBackend::check_afterwards(Outcome& outcome) {
  report_created(plan(), FileSystemLookup(), outcome);
  look_for_handoff(outcome);
  if (!attempt_->nodes) return;
  for (TerminalNodes::Change& change : attempt_->nodes->restore()) {
    outcome.violations.push_back(
        {"terminal.rights_changed", change.path,
         concat("during the run the terminal ", quote(change.path), " ", change.what),
         "try --tier namespaces (policy key: tier.use), in which the command cannot open the "
         "caller's terminal"});
  }
}

std::optional<HostFacts> LinuxBackend::retry_with(const RunInput& input, const HostFacts& host) {
  const auto lacking = std::exchange(lacking_, std::nullopt);
  auto fallback = lacking ? plan_fallback(*lacking, input.policy, host) : std::nullopt;
  if (!fallback) return std::nullopt;
  input.context.log(fallback->note);
  return std::move(fallback->host);
}

}  // namespace bawn::linux_

namespace bawn {

std::unique_ptr<Backend> make_backend() { return std::make_unique<linux_::LinuxBackend>(); }

}  // namespace bawn
