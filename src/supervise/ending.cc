#include "supervise/ending.h"

#include "base/text.h"
#include "policy/text/hint.h"

namespace bawn {
namespace {

void end_by_limit(Outcome& outcome, Status status, FailureKind kind, std::string limit,
                  std::string message, std::string hint) {
  outcome.status = status;
  outcome.limit = std::move(limit);
  outcome.error = Failure{kind, std::move(message), "", std::move(hint)};
}

}  // namespace

void end_by_quota(Outcome& outcome, std::string limit, std::string message, std::string hint) {
  end_by_limit(outcome, Status::quota_exceeded, FailureKind::quota_exceeded, std::move(limit),
               std::move(message), std::move(hint));
}

bool name_ending(Ending ending, const Limits& limits, Outcome& outcome) {
  switch (ending) {
    case Ending::wall_time:
      end_by_limit(
          outcome, Status::timed_out, FailureKind::timed_out, "wall_time",
          concat("the wall-time limit of ", limits.wall_time_ms.value_or(0), " ms was reached"),
          raise_limit("limits.wall_time_ms", limits.wall_time_ms));
      return true;
    case Ending::cpu_time:
      end_by_quota(
          outcome, "cpu_time",
          concat("the CPU-time limit of ", limits.cpu_time_ms.value_or(0), " ms was reached"),
          raise_limit("limits.cpu_time_ms", limits.cpu_time_ms));
      return true;
    case Ending::output:
      end_by_quota(
          outcome, "output",
          concat("the output limit of ", limits.output_bytes.value_or(0), " bytes was exceeded"),
          raise_limit("limits.output_bytes", limits.output_bytes));
      return true;
    case Ending::cancelled:
      outcome.status = Status::cancelled;
      outcome.error = Failure{FailureKind::cancelled, "stopped by the caller", "", ""};
      return true;
    case Ending::none:
    case Ending::exited:
    case Ending::start_failed:
    case Ending::init_lost:
      return false;
  }
  return false;
}

}  // namespace bawn
