#include "backend/macos/macos_backend.h"

#include <unistd.h>

#include <utility>

#include "backend/posix/path_lookup.h"
#include "run/identity.h"
#include "run/record/failure.h"
#include "run/record/post_run_checks.h"
#include "run/unix/process.h"

namespace bawn::macos {
namespace {

Outcome start_failure(const Error& error, const Plan& plan) {
  // With a profile, the file that could not be executed is sandbox-exec.
  if (error.kind == ErrorKind::invalid && plan.boundary() != Boundary::profile)
    return not_executable(plan, error.message, "name a program for this system");
  return not_started(error.within("nothing ran"));
}

}  // namespace

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

std::optional<Outcome> MacosBackend::launch(const RunInput& input, RunPlan& plan) {
  capture_.emplace(input.policy, plan.plan);
  if (auto opened = capture_->open(input, STDOUT_FILENO, STDERR_FILENO); !opened)
    return not_started(opened.error());
  const auto own_or = [](const Fd& end, int fd) { return end ? end.get() : fd; };
  const posix::ChildEnds& ends = capture_->ends();
  const std::array<int, 3> stdio = {own_or(ends.stdin_read, STDIN_FILENO),
                                    own_or(ends.stdout_write, STDOUT_FILENO),
                                    own_or(ends.stderr_write, STDERR_FILENO)};
  if (plan.plan.handoff) handoff_.emplace(handoff::Watch::begin(*plan.plan.handoff));
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

void MacosBackend::check_afterwards(Outcome& outcome) {
  report_created(plan_->plan, posix::UnixLookup(), outcome);
  if (handoff_) outcome.handoff = handoff_->finish();
}

}  // namespace bawn::macos
