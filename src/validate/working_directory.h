// The workspace and the working directory of a run, located and judged.
//
// A working directory is judged by where its links lead and must lie in the scope, in tier c too: a
// directory that a model chooses must never become a place that the policy did not grant. Codes:
// workspace.missing, workspace.not_a_directory, cwd.outside_scope, cwd.missing,
// cwd.not_a_directory.
#pragma once

#include <string_view>

#include "policy/policy.h"
#include "validate/lookup.h"
#include "validate/scope.h"
#include "validate/violation.h"

namespace bawn {

// `workspace` is absolute; "" for a private one, which does not exist yet: the result is empty
// then.
[[nodiscard]] Located judge_workspace(std::string_view workspace, const PathLookup& lookup,
                                      Violations& violations);

// `cwd` as in the request. Of a private workspace only the root itself exists; the result is empty
// for it.
[[nodiscard]] Located judge_cwd(std::string_view cwd, const Located& workspace, const Scope& scope,
                                Tier tier, const PathLookup& lookup, Violations& violations);

}  // namespace bawn
