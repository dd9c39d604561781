#include "windows/conclude.h"

#include "base/text.h"
#include "outcome/denial.h"
#include "supervise/ending.h"
#include "windows/receipt.h"

namespace bawn::windows {
namespace {

// Refused memory or processes show only in how the command fails; the job tells that they were.
void name_refusal(const Supervised& supervised, const Limits& limits, Outcome& outcome) {
  if (outcome.exit_code == 0) return;
  if (supervised.memory_refused) {
    end_by_quota(outcome, "memory",
                 concat("the memory limit of ", limits.memory_bytes.value_or(0), " bytes was reached"),
                 "limits.memory_bytes");
  } else if (supervised.processes_refused) {
    end_by_quota(outcome, "processes",
                 concat("the limit of ", limits.processes.value_or(0), " processes was reached"),
                 "limits.processes");
  }
}

void admit_survivors(const Supervised& supervised, Outcome& outcome) {
  if (supervised.run.tree_gone) return;
  for (Enforcement& layer : outcome.enforcement) {
    if (layer.layer != "process_tree") continue;
    layer.state = LayerState::absent;
    layer.evidence = "some of the job was still alive when the answer was due; it was told to end";
  }
}

}  // namespace

Outcome conclude(const Supervised& supervised, const Plan& plan, const LaunchReadback& readback) {
  Outcome outcome;
  outcome.tier = plan.tier;
  outcome.executor = "windows.job";
  outcome.usage = supervised.usage;
  outcome.was_sandboxed = plan.tier != Tier::unconfined;
  outcome.enforcement = make_receipt(plan, readback);
  if (supervised.exit_code) {
    outcome.status = Status::exited;
    outcome.exit_code = static_cast<int>(*supervised.exit_code);
  }
  if (!name_ending(supervised.run.ending, plan.limits, outcome))
    name_refusal(supervised, plan.limits, outcome);
  admit_survivors(supervised, outcome);
  return outcome;
}

Outcome start_failure(const Error& error, const Plan& plan) {
  if (error.kind == ErrorKind::invalid) {
    return denied_outcome("", {{"executable.not_executable", plan.program.argv.front(),
                                concat(quote(plan.program.file.path), " cannot be executed: ", error.message),
                                "name a program for this system"}});
  }
  return failed_outcome(
      "", FailureKind::spawn_failed, concat("nothing ran: ", error.message), "launch",
      error.kind == ErrorKind::unsupported ? "'bawn doctor' tells what this system can do" : "");
}

}  // namespace bawn::windows
