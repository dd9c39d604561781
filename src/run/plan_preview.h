// A run that is planned and not taken. For bawn's own commands: the Plan is not part of the
// library's interface.
#pragma once

#include "host/facts.h"
#include "plan/explain.h"
#include "plan/plan.h"
#include "run/bawn.h"

namespace bawn {

struct PlanPreview {
  Checked checked;
  // Only if it is allowed. What is new with every run is written "<run-id>".
  Plan plan;
  HostFacts host;
  // What the layers themselves have to say about the plan; nothing where a system has none of them.
  std::optional<ExplainedFilter> filter{};
  std::vector<ExplainedGap> gaps{};
};

// `request` is repaired in place, as a run would do it.
[[nodiscard]] PlanPreview plan_only(const Policy& policy, Request& request,
                                    const RunOptions& options);

}  // namespace bawn
