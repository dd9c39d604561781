// A request on its way from words to a plan, on Windows. Everything in here is decided before anything runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/stopwatch.h"
#include "host/facts.h"
#include "plan/plan.h"
#include "run/bawn.h"

namespace bawn::windows {

struct Prepared {
  Violations violations;
  std::vector<std::string> repairs;
  std::optional<Tier> tier;
  HostFacts host;
  Plan plan;
};

// `request` is repaired in place and keeps the words that the command is to get.
[[nodiscard]] Prepared prepare(const Policy& policy, Request& request, RunIdentity identity,
                               const RunOptions& options, Stopwatch& stopwatch);

// As the caller's environment has it.
[[nodiscard]] std::optional<std::string> caller_variable(const RunOptions& options, std::string_view name);

}  // namespace bawn::windows
