// Finds the policy that a command line means: a preset or a file, changed by flags. Each value
// carries its origin.
//
// The result has passed check_policy(). Its order is fixed: preset or file, BAWN_TIMEOUT, then the
// flags as typed. This is for the command line; a library caller makes its Policy itself.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "front/cli/invocation.h"
#include "plan/input_file.h"
#include "policy/sourced_policy.h"

namespace bawn::cli {

enum class PolicyDefault {
  // A person typed the command. Without an option, BAWN_POLICY or BAWN_MODE names the policy, else
  // it is the preset 'workspace'. BAWN_TIMEOUT applies in any case.
  workspace,
  // A model chose the command. A policy must be named with an option; variables are ignored.
  none,
};

struct LoadedPolicy {
  SourcedPolicy sourced;
  std::vector<InputFile> inputs;  // the policy file; empty for a preset or a pipe
};
[[nodiscard]] Result<LoadedPolicy> load_policy(const Invocation& invocation,
                                               PolicyDefault by_default);

// The current directory, which is the workspace unless the policy names a root or has a private
// workspace. Then it returns "" and does not look at the current directory, which may be gone.
[[nodiscard]] Result<std::string> workspace_by_default(const Policy& policy);

// The name of a policy file for messages. It is unchanged, so that editors find NAME:LINE:COLUMN,
// but quoted if it contains characters that quote() escapes, such as terminal control codes.
[[nodiscard]] std::string shown_name(const std::string& path);

// The policy in a file; the error lists every problem, one a line, with its place.
[[nodiscard]] Result<LoadedPolicy> read_policy_file(const std::string& path);

// The policy that `--policy NAME` means. A preset's name wins over a file of the same name:
// './agent' is the file.
[[nodiscard]] Result<LoadedPolicy> read_policy(const std::string& name);

}  // namespace bawn::cli
