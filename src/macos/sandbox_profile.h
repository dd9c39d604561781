// A Plan as a sandbox profile: what sandbox-exec is told with -p and -D.
//
// Deny by default, one rule a purpose, the last rule that matches decides. No path of the plan
// stands in the text: each is a parameter, so no name can become a rule, whatever characters it
// has. What programs need of the system in order to run is listed here and in HostFacts; everything
// else, Apple events, launchd, the pasteboard and `open` among it, is not mentioned and thereby
// refused.
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

// `plan` is one without violations whose boundary is a profile.
[[nodiscard]] SandboxProfile make_sandbox_profile(const Plan& plan);

}  // namespace bawn
