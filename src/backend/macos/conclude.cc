#include <sys/wait.h>

#include "backend/macos/macos_backend.h"
#include "backend/macos/receipt.h"
#include "base/text.h"
#include "outcome/denial.h"
#include "run/record/failure.h"
#include "run/record/post_run_checks.h"
#include "run/unix/ending.h"
#include "supervise/ending.h"

namespace bawn::macos {
namespace {

// sandbox-exec itself ended: it rejected the profile, or could not execute the command under it.
Outcome refusal(const posix::Supervised& supervised, std::string_view complaint) {
  std::string why = "nothing ran: sandbox-exec did not execute the command";
  const std::optional<int> status = supervised.wait_status;
  if (status && WIFEXITED(*status)) why += concat("; it exited with ", WEXITSTATUS(*status));
  if (status && WIFSIGNALED(*status)) why += concat("; signal ", WTERMSIG(*status), " ended it");
  if (!complaint.empty()) why += concat(": ", quote(complaint));
  return failed_outcome(
      "", FailureKind::spawn_failed, std::move(why), "sandbox-exec",
      "'bawn doctor' tries a small profile; the system's log tells what was refused");
}

void tell_ending(const posix::Supervised& supervised, const Limits& limits,
                 const Limit& callers_cpu_seconds, Outcome& outcome) {
  if (name_ending(supervised.run.ending, limits, outcome)) return;
  if (supervised.wait_status) return name_kernel_limit(limits, callers_cpu_seconds, outcome);
  outcome.status = Status::failed;
  outcome.error = Failure{FailureKind::runtime_failure,
                          "the command ended and the system did not say how", "", ""};
}

Outcome describe_end(const posix::Supervised& supervised, const RunPlan& run_plan,
                     const SandboxProfile& profile, const std::vector<std::uint64_t>& limits) {
  const Plan& plan = run_plan.plan;
  Outcome outcome;
  outcome.tier = plan.tier;
  outcome.executor = plan.boundary() == Boundary::profile ? "macos.sandbox-exec" : "macos.spawn";
  outcome.usage = supervised.usage;
  // If sandbox-exec was ended before the exec, the command did not run, and no layer is claimed.
  if (supervised.command_ran) {
    outcome.was_sandboxed = plan.tier != Tier::unconfined;
    outcome.enforcement = make_receipt(plan, profile, limits, supervised);
  }
  if (supervised.wait_status) take_wait_status(*supervised.wait_status, outcome);
  tell_ending(supervised, plan.limits, run_plan.host->hard_limit(ProcessLimit::cpu_seconds),
              outcome);
  return outcome;
}

}  // namespace

// If the command did not run, the captured stderr is sandbox-exec's message.
Outcome MacosBackend::conclude(const RunProgress& progress) {
  const PumpedStreams output = capture_->finish();
  const posix::Supervised supervised = live_->end(progress);
  Outcome outcome = supervised.run.ending == Ending::start_failed
                        ? refusal(supervised, output.stderr_stream.kept)
                        : describe_end(supervised, *plan_, launched_->profile, limits_);
  capture_->record(output, outcome);
  if (!launched_->directory.remove())
    admit(outcome, "private_directory", "not all of it could be removed");
  return outcome;
}

}  // namespace bawn::macos
