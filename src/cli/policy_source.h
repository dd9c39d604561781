// Which policy a command line means: a preset or a file, with the flags on top, each value with its
// origin.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/invocation.h"
#include "plan/input_file.h"
#include "policy/policy.h"

namespace bawn::cli {

enum class PolicyDefault {
  workspace,  // a person typed the command: BAWN_POLICY, BAWN_MODE, else preset workspace;
              // BAWN_TIMEOUT applies
  none,       // the command carries a model's choice: a policy must be named
};

struct LoadedPolicy {
  SourcedPolicy sourced;
  std::vector<InputFile> inputs;  // the file it is from, if it is from one
};
[[nodiscard]] Result<LoadedPolicy> load_policy(const Invocation& invocation,
                                               PolicyDefault by_default);

// The current directory, where the command works unless the policy says where else; "" if it does,
// for then nobody need be able to say what the current directory is.
[[nodiscard]] Result<std::string> workspace_by_default(const Policy& policy);

// The name of a policy file for people: as it is, so that an editor finds NAME:LINE:COLUMN, but
// quoted if there is something in it that a terminal might obey.
[[nodiscard]] std::string shown_name(const std::string& path);

// The policy in a file; the error lists every problem, one a line, with its place.
[[nodiscard]] Result<LoadedPolicy> read_policy_file(const std::string& path);

// The policy that `--policy NAME` means. A preset's name wins over a file of the same name:
// './agent' is the file.
[[nodiscard]] Result<LoadedPolicy> read_policy(const std::string& name);

}  // namespace bawn::cli
