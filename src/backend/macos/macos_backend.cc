#include "backend/macos/macos_backend.h"

#include <unistd.h>

#include <utility>

#include "backend/macos/conclude.h"
#include "backend/macos/make_plan.h"
#include "backend/posix/path_lookup.h"
#include "run/failure.h"
#include "run/identity.h"
#include "run/post_run_checks.h"
#include "run/unix_process.h"

namespace bawn::macos {

Result<RunIdentity> MacosBackend::identify(const RunInput& input) {
  BAWN_TRY(require_stdio(input.options.stdio));
  BAWN_ASSIGN(const RandomBytes random, random_bytes());
  RunIdentity identity = fresh_identity(input.request, random);
  identity.terminals = terminals_among(borrowed_files(input.options.stdio));
  return identity;
}

Readiness MacosBackend::set_up(const RunInput& /*input*/, RunPlan& plan) {
  plan_ = &plan;
  auto events = posix::EventSet::create();
  if (!events) return {.outcome = not_started(events.error())};
  events_.emplace(std::move(events).value());
  return {};
}

void MacosBackend::make_plan(const RunInput& input, const RunIdentity& identity, RunPlan& plan) {
  macos::make_plan(plan, input.policy, input.request, identity, input.options,
                   input.context.stopwatch());
}

std::optional<Outcome> MacosBackend::launch(const RunInput& input, RunPlan& plan) {
  capture_.emplace(input.policy, plan.plan);
  if (auto opened = capture_->open(input, STDOUT_FILENO, STDERR_FILENO); !opened)
    return not_started(opened.error());
  const auto own_or = [](const Fd& end, int fd) { return end ? end.get() : fd; };
  const posix::ChildEnds& ends = capture_->ends();
  const Stdio stdio{.in = own_or(ends.stdin_read, STDIN_FILENO),
                    .out = own_or(ends.stdout_write, STDOUT_FILENO),
                    .err = own_or(ends.stderr_write, STDERR_FILENO)};
  auto launched = macos::launch(plan.plan, stdio, host_.sandbox_exec);
  if (!launched) return start_failure(launched.error(), plan.plan);
  input.context.stopwatch().lap("launch");
  capture_->close_child_ends();
  launched_.emplace(std::move(launched).value());
  limits_ = launched_->process.limits;
  live_.emplace(std::move(launched_->process),
                posix::LiveRun::Parts{.events = &*events_,
                                      .pump = &capture_->pump(),
                                      .forerunner = forerunner(plan.plan, host_.sandbox_exec)});
  return std::nullopt;
}

Result<void> MacosBackend::begin(Supervisor& supervisor) { return live_->begin(supervisor); }
Result<void> MacosBackend::wake_at(Supervisor::Moment moment) { return events_->wake_at(moment); }
Result<void> MacosBackend::step(Supervisor& supervisor) { return live_->step(supervisor); }

std::chrono::milliseconds MacosBackend::release(RunProgress& progress, bool gave_up) {
  return live_->release(progress, gave_up);
}

bool MacosBackend::is_gone(RunProgress& progress) { return live_->is_gone(progress); }

Outcome MacosBackend::conclude(const RunProgress& progress) {
  const PumpedStreams output = capture_->finish();
  Outcome outcome = macos::conclude(live_->end(progress), plan_->plan, launched_->profile, limits_,
                                    output.stderr_stream.kept);
  capture_->record(output, outcome);
  if (!launched_->directory.remove())
    admit(outcome, "private_directory", "not all of it could be removed");
  return outcome;
}

void MacosBackend::check_afterwards(Outcome& outcome) {
  report_created(plan_->plan, posix::UnixLookup(), outcome);
}

}  // namespace bawn::macos
