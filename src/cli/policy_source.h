// Which policy a command line means: a preset or a file, with the flags on top, each value with its origin.
#pragma once

#include <string>

#include "base/result.h"
#include "cli/invocation.h"
#include "policy/policy.h"

namespace bawn::cli {

enum class PolicyDefault {
  workspace,  // a person typed the command: BAWN_POLICY, BAWN_MODE, else preset workspace; BAWN_TIMEOUT applies
  none,       // the command carries a model's choice: a policy must be named
};

[[nodiscard]] Result<SourcedPolicy> load_policy(const Invocation& invocation, PolicyDefault by_default);

// The current directory, where the command works unless the policy says where else; "" if it does, for then nobody need be able
// to say what the current directory is.
[[nodiscard]] Result<std::string> workspace_by_default(const Policy& policy);

// The name of a policy file for people: as it is, so that an editor finds NAME:LINE:COLUMN, but quoted if there is something in
// it that a terminal might obey.
[[nodiscard]] std::string shown_name(const std::string& path);

// The policy in a file; the error lists every problem, one a line, with its place.
[[nodiscard]] Result<SourcedPolicy> read_policy_file(const std::string& path);

}  // namespace bawn::cli
