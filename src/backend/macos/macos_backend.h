// The backend for macOS: sandbox-exec executes the command under a profile, and the process table
// tells what became of it.
//
// The host is a parameter: macos/bawn.cc passes the probed one. Tests pass other facts and a fake
// sandbox-exec, so they run on other systems too.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "backend/macos/launch.h"
#include "backend/posix/event_set.h"
#include "backend/posix/live_run.h"
#include "backend/posix/pump.h"
#include "handoff/watch.h"
#include "run/backend.h"
#include "run/record/capture.h"

namespace bawn::macos {

// What a run knows about the machine.
struct Host {
  HostFacts facts;
  std::string sandbox_exec = std::string(kSandboxExec);
};

class MacosBackend final : public Backend {
 public:
  explicit MacosBackend(Host host) : host_(std::move(host)) {}

  [[nodiscard]] Result<RunIdentity> identify(const RunInput& input) override;
  [[nodiscard]] HostFacts probe(const RunInput& /*input*/) override { return host_.facts; }
  [[nodiscard]] Readiness set_up(const RunInput& input, RunPlan& plan) override;
  void make_plan(const RunInput& input, const RunIdentity& given, RunPlan& run_plan) override;
  [[nodiscard]] std::optional<Outcome> launch(const RunInput& input, RunPlan& plan) override;
  [[nodiscard]] Result<void> begin(Supervisor& supervisor) override {
    return live_->begin(supervisor);
  }
  [[nodiscard]] int fd() const override { return events_->fd(); }
  [[nodiscard]] Result<void> wake_at(Supervisor::Moment moment) override {
    return events_->wake_at(moment);
  }
  [[nodiscard]] Result<void> step(Supervisor& supervisor) override {
    return live_->step(supervisor);
  }
  [[nodiscard]] std::chrono::milliseconds release(RunProgress& progress, bool gave_up) override {
    return live_->release(progress, gave_up);
  }
  [[nodiscard]] bool is_gone(RunProgress& progress) override { return live_->is_gone(progress); }
  [[nodiscard]] bool must_look_again() const override { return true; }
  [[nodiscard]] Outcome conclude(const RunProgress& progress) override;
  void check_afterwards(Outcome& outcome) override;

  [[nodiscard]] bool terminate() override { return live_->terminate(); }
  [[nodiscard]] Killed kill() override { return live_->kill(); }
  [[nodiscard]] std::optional<std::uint64_t> cpu_time_us() override { return live_->cpu_time_us(); }

 private:
  Host host_;
  RunPlan* plan_ = nullptr;  // borrowed
  std::optional<posix::EventSet> events_;
  std::optional<Capture<posix::Pump, posix::ChildEnds, int>> capture_;
  std::optional<Launched> launched_;   // without its process
  std::vector<std::uint64_t> limits_;  // as read back
  std::optional<posix::LiveRun> live_;
  std::optional<handoff::Watch> handoff_;
};

}  // namespace bawn::macos
