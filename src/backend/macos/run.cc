#include "backend/macos/run.h"

#include <unistd.h>

#include "backend/macos/conclude.h"
#include "backend/macos/make_plan.h"
#include "backend/posix/path_lookup.h"
#include "backend/posix/pump.h"
#include "backend/posix/supervisor.h"
#include "base/text.h"
#include "outcome/denial.h"
#include "policy/policy.h"
#include "run/captured_output.h"
#include "run/failure.h"
#include "run/identity.h"
#include "run/post_run_checks.h"
#include "run/pump_plan.h"
#include "run/run_context.h"
#include "run/run_plan.h"
#include "run/unix_process.h"

namespace bawn::macos {
namespace {

// The streams of a run; each captured stream has its own redactor.
class Capture {
 public:
  Capture(const Policy& policy, const Plan& plan, StdioMode mode)
      : mode_(mode), limit_(policy.limits.output_bytes), record_(policy, plan.environment) {}

  Result<void> open(const Request& request) {
    BAWN_ASSIGN(posix::Pump pump, posix::Pump::create(plan_pump(mode_, limit_, request, record_,
                                                                STDOUT_FILENO, STDERR_FILENO)));
    pump_.emplace(std::move(pump));
    ends_ = pump_->take_child_ends();
    return {};
  }

  [[nodiscard]] Stdio stdio() const {
    const auto own_or = [](const Fd& end, int fd) { return end ? end.get() : fd; };
    return {.in = own_or(ends_.stdin_read, STDIN_FILENO),
            .out = own_or(ends_.stdout_write, STDOUT_FILENO),
            .err = own_or(ends_.stderr_write, STDERR_FILENO)};
  }
  void close_child_ends() { ends_ = {}; }
  posix::Pump& pump() { return *pump_; }

  PumpedStreams finish() { return pump_->finish(); }
  void record(const PumpedStreams& output, Outcome& outcome) const {
    record_.write(output.stdout_stream, output.stderr_stream, outcome);
  }

 private:
  StdioMode mode_;
  Limit limit_;
  CapturedOutput record_;
  std::optional<posix::Pump> pump_;
  posix::ChildEnds ends_;
};

class Runner {
 public:
  Runner(const Policy& policy, Request request, const RunOptions& options, const Host& host)
      : policy_(policy),
        request_(std::move(request)),
        options_(options),
        host_(host),
        context_(options, request_.run_id) {}

  Outcome sealed_run() { return context_.sealed(run()); }

 private:
  Outcome run() {
    if (const auto open = require_stdio(options_.stdio); !open) return not_started(open.error());
    const auto random = random_bytes();
    if (!random) return not_started(random.error());
    RunIdentity identity = fresh_identity(request_, random.value());
    identity.terminals = terminals_among(borrowed_files(options_.stdio));
    context_.address(identity.run_id, normalise_request(request_));
    run_plan_ = check_input(policy_, request_, options_.source, host_.facts);
    if (run_plan_.input_is_valid)
      make_plan(run_plan_, policy_, request_, identity, options_, context_.stopwatch());
    if (run_plan_.failure) return not_started(*run_plan_.failure);
    if (!run_plan_.violations.empty()) {
      context_.log(concat("denied: ", run_plan_.violations.size(), " violations"));
      return denied_outcome("", run_plan_.violations);
    }
    if (context_.is_logging()) context_.log(plan_line(run_plan_.plan));
    if (options_.notice) {
      for (const std::string& line : protection_notices(run_plan_.plan)) options_.notice(line);
    }
    return launch_and_supervise();
  }

  Outcome launch_and_supervise() {
    Capture capture(policy_, run_plan_.plan, options_.stdio);
    if (auto opened = capture.open(request_); !opened) return not_started(opened.error());
    auto launched = launch(run_plan_.plan, capture.stdio(), host_.sandbox_exec);
    if (!launched) return start_failure(launched.error(), run_plan_.plan);
    context_.stopwatch().lap("launch");
    capture.close_child_ends();
    return supervise_it(std::move(launched).value(), capture);
  }

  Outcome supervise_it(Launched launched, Capture& capture) {
    const std::vector<std::uint64_t> limits = launched.process.limits;
    const posix::Supervision supervision{
        .limits = run_plan_.plan.limits,
        .forerunner = forerunner(run_plan_.plan, host_.sandbox_exec),
        .cancel_fd = options_.cancel_fd,
        .pump = &capture.pump(),
        .stopwatch = &context_.stopwatch()};
    const auto supervised = posix::supervise(std::move(launched.process), supervision);
    if (!supervised) return with_post_run_checks(given_up(supervised.error()));
    context_.log(concat("ended: ", to_string(supervised.value().run.ending)));
    const PumpedStreams output = capture.finish();
    Outcome outcome = conclude(supervised.value(), run_plan_.plan, launched.profile, limits,
                               output.stderr_stream.kept);
    capture.record(output, outcome);
    if (!launched.directory.remove())
      admit(outcome, "private_directory", "not all of it could be removed");
    return with_post_run_checks(std::move(outcome));
  }

  // Applies to every ending in which the command may have run.
  [[nodiscard]] Outcome with_post_run_checks(Outcome outcome) const {
    report_created(run_plan_.plan, posix::UnixLookup(), outcome);
    return outcome;
  }

  const Policy& policy_;
  Request request_;
  const RunOptions& options_;
  const Host& host_;
  RunContext context_;
  RunPlan run_plan_;
};

}  // namespace

Outcome run(const Policy& policy, Request request, const RunOptions& options, const Host& host) {
  return Runner(policy, std::move(request), options, host).sealed_run();
}

PlanPreview plan_only(const Policy& policy, Request& request, const RunOptions& options,
                      const Host& host) {
  Stopwatch nobody_asked;
  std::vector<std::string> repairs = normalise_request(request);
  RunPlan run_plan = check_input(policy, request, options.source, host.facts);
  if (run_plan.input_is_valid)
    make_plan(run_plan, policy, request, unnamed_identity(request), options, nobody_asked);
  if (run_plan.failure)
    run_plan.refuse({unplanned(*run_plan.failure, shortage_remedy(run_plan.failure->sys_errno))});
  return {.checked = {std::move(run_plan.violations), std::move(repairs), run_plan.tier,
                      run_plan.failure.has_value()},
          .plan = std::move(run_plan.plan),
          .host = std::move(run_plan.host)};
}

}  // namespace bawn::macos
