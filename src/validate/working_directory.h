// Locates and judges the workspace and the working directory of a run.
//
// A working directory is judged by where its links lead. It must lie in the scope, in tier c too: a
// model chooses it, and it must never become a directory that the policy did not grant. Tier
// `unconfined` skips that check.
//
// Codes: workspace.missing, workspace.not_a_directory, cwd.outside_scope, cwd.missing,
// cwd.not_a_directory. Whether the way to the workspace can be trusted is judged in validate.cc
// (workspace.link).
#pragma once

#include <string_view>

#include "policy/tier.h"
#include "validate/lookup.h"
#include "validate/scope.h"
#include "validate/violation.h"

namespace bawn {

// `workspace` is an absolute host path, and `located` what was found there. "" stands for a private
// workspace, which does not exist yet.
void judge_workspace(std::string_view workspace, const Located& located, Violations& violations);

// `cwd` is the request's: absolute, or relative to the workspace, or "" for the workspace itself. A
// private workspace has no directories yet, so only its root is accepted, and the result is empty.
// `lookup` takes guest paths.
[[nodiscard]] Located judge_cwd(std::string_view cwd, const Located& workspace, const Scope& scope,
                                Tier tier, const PathLookup& lookup, Violations& violations);

}  // namespace bawn
