// A request on its way from words to a plan. Everything in here is decided before anything runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/stopwatch.h"
#include "host/facts.h"
#include "linux/seccomp_filter.h"
#include "plan/plan.h"
#include "run/bawn.h"

namespace bawn {

struct Prepared {
  Violations violations;
  std::optional<Tier> tier;  // none if the host has none that the policy accepts, or the request is refused
  bool words_are_valid = false;
  HostFacts host;
  Plan plan;
  RunFilter filter;
};

// First what can be said without looking at a single file: whether policy and request are well formed, and which tier
// the run is for.
[[nodiscard]] Prepared weigh_words(const Policy& policy, const Request& request, RequestSource source,
                                   HostFacts host);

// Then the rest, of which the caller sees all violations at once. For words that are valid.
void judge_and_plan(Prepared& prepared, const Policy& policy, const Request& request, RunIdentity identity,
                    const RunOptions& options, Stopwatch& stopwatch);

// As the caller's environment has it; "" if it does not.
[[nodiscard]] std::string caller_variable(const RunOptions& options, std::string_view name);

}  // namespace bawn
