// run() and check(). bawn.h has the rules for their callers.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/run_options.h"
#include "outcome/outcome.h"
#include "policy/tier.h"
#include "request/request.h"
#include "validate/violation.h"

namespace bawn {

struct Policy;

// Validates, plans, launches and supervises. Never throws because of anything that the command or
// the host does; failures are in the outcome.
[[nodiscard]] Outcome run(const Policy& policy, Request request, const RunOptions& options);

// Result of check(): every violation, and what was repaired in the request.
struct Checked {
  Violations violations;
  std::vector<std::string> repairs;
  std::optional<Tier> tier;  // the tier it would run in
  // The host could not be examined; the only violation says what it was short of.
  bool failed = false;
  [[nodiscard]] bool allowed() const { return violations.empty(); }
};
// Validates and plans as run() does, and starts nothing.
[[nodiscard]] Checked check(const Policy& policy, Request request, const RunOptions& options);

}  // namespace bawn
