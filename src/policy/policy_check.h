// Whether a Policy makes sense as a whole. parse_policy has asked already; whoever changes a policy
// afterwards (flags) or builds one in memory (the library) asks here.
#pragma once

#include <string>
#include <vector>

#include "json/document.h"
#include "policy/policy.h"

namespace bawn {

// Two values that cannot both be meant.
struct Conflict {
  std::string where;    // the value to blame: "workspace.root"
  std::string against;  // the one it contradicts: "workspace.mode"
  std::string message;
  std::string hint;
};

[[nodiscard]] std::vector<Conflict> policy_conflicts(const Policy& policy);

// Every value that a policy file could not hold, and every conflict. Line and column are 0; `where`
// is the path that Origins uses.
[[nodiscard]] std::vector<json::Problem> check_policy(const Policy& policy);

}  // namespace bawn
