// One reason why a request may not run. Codes are stable: programs match on them, so they are never
// reworded.
#pragma once

#include <string>
#include <vector>

namespace bawn {

struct Violation {
  std::string code;     // "path.outside_scope"
  std::string subject;  // what it is about: the argument, host, key or path as the caller wrote it
  std::string message;  // why, in one sentence
  std::string hint;     // what would be allowed, or which policy key would allow it

  bool operator==(const Violation&) const = default;
};

using Violations = std::vector<Violation>;

}  // namespace bawn
