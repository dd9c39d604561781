#include "backend/windows/receipt.h"
#include "backend/windows/windows_backend.h"
#include "run/record/post_run_checks.h"
#include "supervise/ending.h"

namespace bawn::windows {
namespace {

// The command failed, and the job had refused it something. That does not prove the cause, so the
// status stays as it is.
void name_refusal(const Supervised& supervised, Outcome& outcome) {
  if (outcome.success()) return;
  if (supervised.memory_refused) {
    outcome.limit = "memory";
  } else if (supervised.processes_refused) {
    outcome.limit = "processes";
  }
}

void tell_ending(const Supervised& supervised, const Limits& limits, Outcome& outcome) {
  if (name_ending(supervised.run.ending, limits, outcome)) return;
  if (supervised.exit_code) {
    outcome.status = Status::exited;
    outcome.exit_code = static_cast<int>(*supervised.exit_code);
    return name_refusal(supervised, outcome);
  }
  outcome.status = Status::failed;
  outcome.error = Failure{FailureKind::runtime_failure,
                          "the command ended and the system did not say how", "", ""};
}

}  // namespace

Outcome WindowsBackend::conclude(const RunProgress& progress) {
  const Plan& plan = plan_->plan;
  const Supervised supervised = live_->end(progress);
  Outcome outcome;
  outcome.tier = plan.tier;
  outcome.executor = "windows.job";
  outcome.usage = supervised.usage;
  outcome.was_sandboxed = plan.tier != Tier::unconfined;
  outcome.enforcement = make_receipt(plan, launched_->readback);
  tell_ending(supervised, plan.limits, outcome);
  if (!supervised.run.tree_gone)
    admit(outcome, "process_tree",
          "some processes of the job were still alive when the outcome was due; the job was told "
          "to end");
  capture_->record(capture_->finish(), outcome);
  if (launched_->directory && !launched_->directory->remove())
    admit(outcome, "private_directory", "some of it could not be removed");
  return outcome;
}

}  // namespace bawn::windows
