// The backend for Linux: an init process that builds the sandbox and owns the command's processes.
//
// The parts are in the folders beside this one; this class has the order in which they are used.
// launch() waits for init's exec.
#pragma once

#include <optional>
#include <string>

#include "backend/linux/cgroup/guard.h"
#include "backend/linux/cgroup/outer_memory.h"
#include "backend/linux/launch/live_run.h"
#include "backend/linux/launch/mount_trees.h"
#include "backend/linux/launch/run_events.h"
#include "backend/linux/seccomp/filter.h"
#include "backend/linux/spawn/init_process.h"
#include "backend/linux/stdio/run_stdio.h"
#include "backend/linux/terminal/terminal_nodes.h"
#include "backend/linux/terminal/terminal_session.h"
#include "handoff/watch.h"
#include "host/id_mapping.h"
#include "plan/fallback.h"
#include "run/backend.h"

namespace bawn::linux_ {

// Everything of one attempt to run the command. Members are destroyed in the opposite order: the
// cgroup goes after init.
struct Attempt {
  RunPlan* plan = nullptr;  // borrowed
  NamespaceInodes callers_namespaces{};
  std::optional<InitProcess> init{};  // until it is launched
  std::optional<IdRangeMapping> mapping{};
  RunFilter filter{};
  std::optional<TerminalNodes> nodes{};  // tier b: restores what the command changes
  std::optional<TerminalSession> terminal{};
  std::optional<RunStdio> stdio{};
  std::optional<MountTrees> trees{};  // until init has them
  Fd input{};                         // the command's stdin, if bawn opens it for init
  std::optional<CgroupGuard> cgroup{};
  OuterMemory outer_before{};
  std::optional<handoff::Watch> handoff{};
  std::optional<LiveRun> live{};
  std::optional<Outcome> outcome{};  // made while init is leaving
};

class LinuxBackend final : public Backend {
 public:
  [[nodiscard]] Result<RunIdentity> identify(const RunInput& input) override;
  [[nodiscard]] RunIdentity preview_identity(const RunInput& input) override;
  [[nodiscard]] HostFacts probe(const RunInput& input) override;
  [[nodiscard]] Readiness set_up(const RunInput& input, RunPlan& plan) override;
  [[nodiscard]] Readiness continue_setup(const RunInput& input, bool cancelled) override;
  void make_plan(const RunInput& input, const RunIdentity& identity, RunPlan& plan) override;
  [[nodiscard]] bool tries_out(Tier tier) const override { return tier == Tier::c; }
  void describe(PlanPreview& preview) override;
  [[nodiscard]] Outcome plan_failure(const Error& error) override;
  [[nodiscard]] std::optional<Outcome> launch(const RunInput& input, RunPlan& plan) override;
  [[nodiscard]] Result<void> begin(Supervisor& supervisor) override;
  [[nodiscard]] int fd() const override { return events_->fd(); }
  [[nodiscard]] Result<void> wake_at(Supervisor::Moment moment) override;
  [[nodiscard]] Result<void> step(Supervisor& supervisor) override;
  [[nodiscard]] std::chrono::milliseconds release(RunProgress& progress, bool gave_up) override;
  [[nodiscard]] bool is_gone(RunProgress& progress) override;
  [[nodiscard]] Outcome conclude(const RunProgress& progress) override;
  void check_afterwards(Outcome& outcome) override;
  [[nodiscard]] std::optional<HostFacts> retry_with(const RunInput& input,
                                                    const HostFacts& host) override;

  [[nodiscard]] bool terminate() override;
  [[nodiscard]] Killed kill() override;
  [[nodiscard]] std::optional<std::uint64_t> cpu_time_us() override;

  [[nodiscard]] Result<std::size_t> write_input(std::string_view bytes) override;
  void close_input() override;
  [[nodiscard]] Result<void> resize(unsigned rows, unsigned columns) override;
  [[nodiscard]] Result<void> signal(RunSignal signal) override;
  [[nodiscard]] Result<void> job_signal(JobSignal signal, Supervisor& supervisor) override;

 private:
  [[nodiscard]] Result<bool> start_init(const RunInput& input);
  [[nodiscard]] Result<bool> start_mapping(const RunInput& input);
  [[nodiscard]] Result<bool> step_mapping(const RunInput& input, bool cancelled);
  [[nodiscard]] Result<void> tell_init(const RunInput& input);
  [[nodiscard]] Readiness readiness_of(const RunInput& input, const Result<bool>& ready);
  [[nodiscard]] Outcome not_launched(const RunInput& input, const Error& error);

  [[nodiscard]] Result<void> prepare_terminal(const RunInput& input);
  [[nodiscard]] Result<void> prepare_stdio(const RunInput& input);
  [[nodiscard]] Result<void> make_trees(const RunInput& input);
  [[nodiscard]] Result<Stdio> command_stdio();
  [[nodiscard]] Result<void> make_cgroup(RunContext& context);

  void look_for_handoff(Outcome& outcome);
  void note_what_is_lacking();
  [[nodiscard]] Outcome make_outcome(const RunProgress& progress);
  [[nodiscard]] std::optional<OuterKill> outer_kill(
      const std::optional<CgroupSummary>& counted) const;
  [[nodiscard]] const Plan& plan() const { return attempt_->plan->plan; }
  [[nodiscard]] const HostFacts& host() const { return *attempt_->plan->host; }

  std::optional<RunEvents> events_;
  Stopwatch* stopwatch_ = nullptr;
  std::optional<Attempt> attempt_;
  std::optional<Lacking> lacking_;  // why nothing ran in the last attempt, if the host lacks it
  bool closes_input_ = false;       // the caller has closed the input pipe
};

}  // namespace bawn::linux_
