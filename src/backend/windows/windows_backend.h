// The backend for Windows: a job that limits and ends every process of the run.
#pragma once

#include <optional>

#include "backend/windows/event_port.h"
#include "backend/windows/launch.h"
#include "backend/windows/live_run.h"
#include "backend/windows/pump.h"
#include "host/probe.h"
#include "run/backend.h"
#include "run/record/capture.h"

namespace bawn::windows {

// Reads the caller's environment: RunOptions::caller_env, or this process's own.
[[nodiscard]] CallerVariable environment_of(const RunOptions& options);

class WindowsBackend final : public Backend {
 public:
  [[nodiscard]] Result<RunIdentity> identify(const RunInput& input) override;
  [[nodiscard]] HostFacts probe(const RunInput& /*input*/) override { return probe_host(); }
  [[nodiscard]] Readiness set_up(const RunInput& input, RunPlan& plan) override;
  void make_plan(const RunInput& input, const RunIdentity& given, RunPlan& run_plan) override;
  [[nodiscard]] std::optional<Outcome> launch(const RunInput& input, RunPlan& plan) override;
  [[nodiscard]] Result<void> begin(Supervisor& supervisor) override {
    return live_->begin(supervisor);
  }
  // Handles are significant only in their lower 32 bits.
  [[nodiscard]] int fd() const override { return HandleToLong(events_->event()); }
  [[nodiscard]] Result<void> wake_at(Supervisor::Moment moment) override {
    events_->wake_at(moment);
    return {};
  }
  [[nodiscard]] Result<void> step(Supervisor& supervisor) override {
    live_->step(supervisor);
    return {};
  }
  [[nodiscard]] std::chrono::milliseconds release(RunProgress& progress, bool gave_up) override;
  [[nodiscard]] bool is_gone(RunProgress& progress) override { return progress.tree_gone; }
  [[nodiscard]] Outcome conclude(const RunProgress& progress) override;
  void check_afterwards(Outcome& /*outcome*/) override {}

  [[nodiscard]] bool terminate() override { return live_->terminate(); }
  [[nodiscard]] Killed kill() override { return live_->kill(); }
  [[nodiscard]] std::optional<std::uint64_t> cpu_time_us() override { return live_->cpu_time_us(); }

 private:
  [[nodiscard]] Result<Stdio> open_stdio(const RunInput& input, const Plan& plan);

  RunPlan* plan_ = nullptr;  // borrowed
  std::optional<EventPort> events_;
  std::optional<Capture<Pump, ChildEnds, HANDLE>> capture_;
  std::optional<Launched> launched_;
  std::optional<LiveRun> live_;
};

}  // namespace bawn::windows
