// Checks whether the values of a Policy are valid, each and together.
//
// parse_policy has already checked a policy that comes from a file. Call check_policy after a
// policy was changed (flags) or built in memory (the library). Pure: it does not look at the host.
#pragma once

#include <string>
#include <vector>

#include "json/document.h"

namespace bawn {

struct Policy;

// Two values that contradict each other.
struct Conflict {
  std::string where;    // the value to change: "workspace.root"
  std::string against;  // the value that it contradicts: "workspace.mode"
  std::string message;
  std::string hint;
};

// All contradictions; single values are not checked here.
[[nodiscard]] std::vector<Conflict> policy_conflicts(const Policy& policy);

// Every value that a policy file could not hold, and every conflict. Empty: the policy is valid.
// Line and column are 0; `where` is the path that Origins uses.
[[nodiscard]] std::vector<json::Problem> check_policy(const Policy& policy);

}  // namespace bawn
