// One reason why a request may not run, found by the validator or the planner before anything
// started.
//
// Programs match on `code`, so a code is stable: it is never renamed and never gets another
// meaning. `message` and `hint` are for people and may change. What the kernel refuses while the
// command runs is a refusal, not a violation.
#pragma once

#include <string>
#include <vector>

namespace bawn {

// A plain value that owns its strings.
struct Violation {
  std::string code;     // "path.outside_scope"
  std::string subject;  // the argument, host, key or path, as the caller wrote it
  std::string message;  // why, in one sentence
  std::string hint;     // what is allowed instead, or which policy key would allow it

  bool operator==(const Violation&) const = default;
};

using Violations = std::vector<Violation>;

}  // namespace bawn
