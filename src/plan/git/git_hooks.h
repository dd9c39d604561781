// Protects the hooks of git repositories in places that the command may write: the next git command
// outside would run them.
//
// The protection is a default, so what cannot be protected is told and is no reason to refuse a
// run.
#pragma once

#include <string>
#include <vector>

#include "host/facts.h"
#include "plan/git/git_directories.h"
#include "plan/input_protection.h"
#include "policy/tier.h"
#include "policy/workspace_policy.h"
#include "validate/scope.h"

namespace bawn {

struct UnprotectedHooks {
  std::string path;
  std::string why;
};

// Host paths. All empty if the command can write to no repository.
struct GitHooksPlan {
  std::vector<ProtectedInput> protect;
  // They do not exist. After the run bawn checks whether the command made them.
  std::vector<std::string> still_missing;
  std::vector<UnprotectedHooks> unprotected;
  std::vector<std::string> open;  // the policy leaves them writable
};

// What decides about hooks, beside the directories themselves.
struct GitHooksInput {
  GitHooksMode mode = GitHooksMode::protect;
  Tier tier = Tier::b;
  Boundary boundary = Boundary::none;
};

// Pure.
[[nodiscard]] GitHooksPlan plan_git_hooks(const GitDirectories& found, const GitHooksInput& input,
                                          const Scope& scope);

}  // namespace bawn
