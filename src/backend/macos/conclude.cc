#include "backend/macos/conclude.h"

#include <sys/wait.h>

#include "backend/macos/receipt.h"
#include "base/text.h"
#include "outcome/denial.h"
#include "run/failure.h"
#include "run/unix_ending.h"
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

void tell_ending(const posix::Supervised& supervised, const Limits& limits, Outcome& outcome) {
  if (name_ending(supervised.run.ending, limits, outcome)) return;
  if (supervised.wait_status) return name_kernel_limit(limits, outcome);
  outcome.status = Status::failed;
  outcome.error = Failure{FailureKind::runtime_failure,
                          "the command ended and the system did not say how", "", ""};
}

}  // namespace

Outcome conclude(const posix::Supervised& supervised, const Plan& plan,
                 const SandboxProfile& profile, const std::vector<std::uint64_t>& limits,
                 std::string_view complaint) {
  if (supervised.run.ending == Ending::start_failed) return refusal(supervised, complaint);
  Outcome outcome;
  outcome.tier = plan.tier;
  outcome.executor = plan.boundary == Boundary::profile ? "macos.sandbox-exec" : "macos.spawn";
  outcome.usage = supervised.usage;
  // If sandbox-exec was ended before the exec, the command did not run, and no layer is claimed.
  if (supervised.command_ran) {
    outcome.was_sandboxed = plan.tier != Tier::unconfined;
    outcome.enforcement = make_receipt(plan, profile, limits, supervised);
  }
  if (supervised.wait_status) take_wait_status(*supervised.wait_status, outcome);
  tell_ending(supervised, plan.limits, outcome);
  return outcome;
}

Outcome start_failure(const Error& error, const Plan& plan) {
  // With a profile, the file that could not be executed is sandbox-exec.
  if (error.kind == ErrorKind::invalid && plan.boundary != Boundary::profile)
    return not_executable(plan, error.message, "name a program for this system");
  return not_started(error.within("nothing ran"));
}

}  // namespace bawn::macos
