#include <windows.h>

#include <bcrypt.h>

#include "api/run.h"
#include "backend/windows/conclude.h"
#include "backend/windows/launch.h"
#include "backend/windows/make_plan.h"
#include "backend/windows/pump.h"
#include "backend/windows/supervisor.h"
#include "backend/windows/system_text.h"
#include "base/text.h"
#include "host/probe.h"
#include "outcome/denial.h"
#include "policy/policy.h"
#include "run/captured_output.h"
#include "run/failure.h"
#include "run/identity.h"
#include "run/plan_preview.h"
#include "run/post_run_checks.h"
#include "run/pump_plan.h"
#include "run/run_context.h"
#include "run/run_plan.h"

namespace bawn {
namespace windows {
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
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  Handle null(CreateFileW(L"NUL", GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                          &inheritable, OPEN_EXISTING, 0, nullptr));
  if (!null) return system_failure(GetLastError(), "open NUL");
  return null;
}

// Fills `end` with the caller's handle if the pump has none for it.
Result<void> lend(Handle& end, DWORD which) {
  if (end) return {};
  BAWN_ASSIGN(end, inheritable_copy(which));
  return {};
}

// The streams of a run; each captured stream has its own redactor.
class Capture {
 public:
  Capture(const Policy& policy, const Plan& plan, StdioMode mode)
      : mode_(mode), limit_(policy.limits.output_bytes), record_(policy, plan.environment) {}

  Result<void> open(const Request& request, HANDLE port) {
    const PumpOptions options =
        plan_pump(mode_, limit_, request, record_, GetStdHandle(STD_OUTPUT_HANDLE),
                  GetStdHandle(STD_ERROR_HANDLE));
    BAWN_ASSIGN(Pump pump, Pump::create(options, port));
    pump_.emplace(std::move(pump));
    ends_ = pump_->take_child_ends();
    BAWN_TRY(lend(ends_.stdin_read, STD_INPUT_HANDLE));
    BAWN_TRY(lend(ends_.stdout_write, STD_OUTPUT_HANDLE));
    return lend(ends_.stderr_write, STD_ERROR_HANDLE);
  }

  [[nodiscard]] Stdio stdio() const {
    return {.in = ends_.stdin_read.get(),
            .out = ends_.stdout_write.get(),
            .err = ends_.stderr_write.get(),
            .shares_console = mode_ != StdioMode::capture};
  }
  void close_child_ends() { ends_ = {}; }
  Pump& pump() { return *pump_; }

  void record(Outcome& outcome) {
    const PumpedStreams output = pump_->finish();
    record_.write(output.stdout_stream, output.stderr_stream, outcome);
  }

 private:
  StdioMode mode_;
  Limit limit_;
  CapturedOutput record_;
  std::optional<Pump> pump_;
  ChildEnds ends_;
};

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
    const auto random = random_bytes();
    if (!random) return not_started(random.error());
    const RunIdentity identity = fresh_identity(request_, random.value());
    context_.address(identity.run_id, normalise_request(request_));
    run_plan_ = check_input(policy_, request_, options_.source, probe_host());
    context_.stopwatch().lap("probe");
    if (run_plan_.input_is_valid)
      make_plan(run_plan_, policy_, request_, identity, options_, context_.stopwatch());
    if (!run_plan_.violations.empty()) {
      context_.log(concat("denied: ", run_plan_.violations.size(), " violations"));
      return denied_outcome("", run_plan_.violations);
    }
    if (context_.is_logging()) context_.log(plan_line(run_plan_.plan));
    return launch_and_supervise();
  }

  Outcome launch_and_supervise() {
    const auto port = create_port();
    if (!port) return not_started(port.error());
    Capture capture(policy_, run_plan_.plan, options_.stdio);
    if (auto opened = capture.open(request_, port.value().get()); !opened)
      return not_started(opened.error());
    std::vector<std::string> words{request_.command};
    words.insert(words.end(), request_.args.begin(), request_.args.end());
    auto launched = launch(run_plan_.plan, words, environment_of(options_), capture.stdio(),
                           port.value().get());
    if (!launched) return start_failure(launched.error(), run_plan_.plan);
    context_.stopwatch().lap("launch");
    capture.close_child_ends();
    return supervise_it(std::move(launched).value(), capture, port.value().get());
  }

  Outcome supervise_it(Launched launched, Capture& capture, HANDLE port) {
    const Supervision supervision{.limits = run_plan_.plan.limits,
                                  .port = port,
                                  .cancel = cancel_event(),
                                  .pump = &capture.pump(),
                                  .stopwatch = &context_.stopwatch()};
    const auto supervised = supervise(launched.job, launched.process, supervision);
    if (!supervised) return given_up(supervised.error());
    context_.log(concat("ended: ", to_string(supervised.value().run.ending)));
    Outcome outcome = conclude(supervised.value(), run_plan_.plan, launched.readback);
    capture.record(outcome);
    if (launched.directory && !launched.directory->remove())
      admit(outcome, "private_directory", "some of it could not be removed");
    return outcome;
  }

  // On Windows cancel_fd is an event handle; handles are significant only in their lower 32 bits.
  [[nodiscard]] HANDLE cancel_event() const {
    return options_.cancel_fd < 0 ? nullptr : LongToHandle(options_.cancel_fd);
  }

  const Policy& policy_;
  Request request_;
  const RunOptions& options_;
  RunContext context_;
  RunPlan run_plan_;
};

}  // namespace
}  // namespace windows

Outcome run(const Policy& policy, Request request, const RunOptions& options) {
  return windows::Runner(policy, std::move(request), options).sealed_run();
}

PlanPreview plan_only(const Policy& policy, Request& request, const RunOptions& options) {
  Stopwatch nobody_asked;
  std::vector<std::string> repairs = normalise_request(request);
  RunPlan run_plan = check_input(policy, request, options.source, probe_host());
  if (run_plan.input_is_valid)
    windows::make_plan(run_plan, policy, request, unnamed_identity(request), options, nobody_asked);
  return {.checked = {std::move(run_plan.violations), std::move(repairs), run_plan.tier},
          .plan = std::move(run_plan.plan),
          .host = std::move(run_plan.host)};
}

Checked check(const Policy& policy, Request request, const RunOptions& options) {
  return plan_only(policy, request, options).checked;
}

}  // namespace bawn
