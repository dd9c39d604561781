// A plan that is made and not run, for `bawn explain` and other commands of bawn.
//
// The steps are those of a run, in the same code (run.cc), so that a run cannot disagree. Where the
// backend can try a plan out without changing the host, it is carried out up to the exec.
//
// The Plan is not part of the library's interface, so programs that use the library must not
// include this.
#pragma once

#include "api/run.h"
#include "host/facts.h"
#include "plan/explain/explain.h"
#include "plan/plan.h"

namespace bawn {

struct PlanPreview {
  Checked checked;
  // Set only if the request is allowed. Generated ids are "<run-id>".
  Plan plan;
  HostFacts host;
  // Facts that the seccomp and Landlock layers add to the plan; empty on systems without them.
  std::optional<ExplainedFilter> filter{};
  std::vector<ExplainedGap> gaps{};
};

// `request` is repaired in place, as run() does.
[[nodiscard]] PlanPreview plan_only(const Policy& policy, Request& request,
                                    const RunOptions& options);

}  // namespace bawn
