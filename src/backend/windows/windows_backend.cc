#include "backend/windows/windows_backend.h"

#include <windows.h>

#include <bcrypt.h>

#include <utility>

#include "backend/windows/system_text.h"
#include "run/identity.h"
#include "run/record/failure.h"

namespace bawn::windows {
namespace {

Result<RandomBytes> random_bytes() {
  RandomBytes bytes{};
  if (BCryptGenRandom(nullptr, bytes.data(), bytes.size(), BCRYPT_USE_SYSTEM_PREFERRED_RNG) < 0)
    return unsupported_error("the system has no random numbers");
  return bytes;
}

// An inheritable duplicate of the caller's stdio handle; the null device if the caller has none.
Result<Handle> inheritable_copy(DWORD which) {
  HANDLE own = GetStdHandle(which);
  HANDLE copy = nullptr;
  HANDLE self = GetCurrentProcess();
  if (own != nullptr && own != INVALID_HANDLE_VALUE &&
      DuplicateHandle(self, own, self, &copy, 0, TRUE, DUPLICATE_SAME_ACCESS) != 0) {
    return Handle(copy);
  }
  return open_null(GENERIC_READ | GENERIC_WRITE);
}

// Fills `end` with the caller's handle if the pump has none for it.
Result<void> lend(Handle& end, DWORD which) {
  if (end) return {};
  BAWN_ASSIGN(end, inheritable_copy(which));
  return {};
}

Outcome start_failure(const Error& error, const Plan& plan) {
  if (error.kind == ErrorKind::invalid)
    return not_executable(plan, error.message, "name a program for this system");
  return not_started(error.within("nothing ran"));
}

}  // namespace

Result<RunIdentity> WindowsBackend::identify(const RunInput& input) {
  BAWN_ASSIGN(const RandomBytes random, random_bytes());
  return fresh_identity(input.request, random);
}

Readiness WindowsBackend::set_up(const RunInput& /*input*/, RunPlan& plan) {
  plan_ = &plan;
  auto events = EventPort::create();
  if (!events) return {.outcome = not_started(events.error())};
  events_.emplace(std::move(events).value());
  return {};
}

Result<Stdio> WindowsBackend::open_stdio(const RunInput& input, const Plan& plan) {
  capture_.emplace(input.policy, plan);
  BAWN_TRY(capture_->open(input, GetStdHandle(STD_OUTPUT_HANDLE), GetStdHandle(STD_ERROR_HANDLE),
                          events_->port()));
  ChildEnds& ends = capture_->ends();
  BAWN_TRY(lend(ends.stdin_read, STD_INPUT_HANDLE));
  BAWN_TRY(lend(ends.stdout_write, STD_OUTPUT_HANDLE));
  BAWN_TRY(lend(ends.stderr_write, STD_ERROR_HANDLE));
  return Stdio{.in = ends.stdin_read.get(),
               .out = ends.stdout_write.get(),
               .err = ends.stderr_write.get(),
               .shares_console = input.options.stdio != StdioMode::capture};
}

std::optional<Outcome> WindowsBackend::launch(const RunInput& input, RunPlan& plan) {
  const auto stdio = open_stdio(input, plan.plan);
  if (!stdio) return not_started(stdio.error());
  std::vector<std::string> words{input.request.command};
  words.insert(words.end(), input.request.args.begin(), input.request.args.end());
  auto launched = windows::launch(plan.plan, words, environment_of(input.options), stdio.value(),
                                  events_->port());
  if (!launched) return start_failure(launched.error(), plan.plan);
  input.context.stopwatch().lap("launch");
  capture_->close_child_ends();
  launched_.emplace(std::move(launched).value());
  live_.emplace(launched_->job, launched_->process.process.get(),
                LiveRun::Parts{.events = &*events_, .pump = &capture_->pump()});
  return std::nullopt;
}

// A job that was told to end is not waited for.
std::chrono::milliseconds WindowsBackend::release(RunProgress& /*progress*/, bool /*gave_up*/) {
  launched_->job.terminate();
  return {};
}

}  // namespace bawn::windows

namespace bawn {

std::unique_ptr<Backend> make_backend() { return std::make_unique<windows::WindowsBackend>(); }

}  // namespace bawn
