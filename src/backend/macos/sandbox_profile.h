// A Plan as a sandbox profile: the text and parameters that sandbox-exec gets with -p and -D.
//
// Deny by default; the last matching rule decides. No path is part of the text: each is a
// parameter, so no file name can become a rule. What programs need from the system is listed here
// and in HostFacts. Everything else (Apple events, launchd, the pasteboard, `open`) has no rule and
// is refused.
#pragma once

#include <string>
#include <vector>

#include "plan/plan.h"

namespace bawn {

struct SandboxProfileParameter {
  std::string name;
  std::string value;
  bool operator==(const SandboxProfileParameter&) const = default;
};

struct SandboxProfile {
  std::string text;
  std::vector<SandboxProfileParameter> parameters;
};

// Pure. `plan` must have no violations, and its boundary must be Boundary::profile.
[[nodiscard]] SandboxProfile make_sandbox_profile(const Plan& plan);

}  // namespace bawn
