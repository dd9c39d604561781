// Looks up workspace.protect and workspace.hide: what the command may not change or not see in its
// workspace.
//
// Every boundary that supports exceptions inside a writable directory uses this, so all of them
// apply and refuse the same ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validate/lookup.h"
#include "validate/validate.h"

namespace bawn {

struct Policy;

struct WorkspaceExceptions {
  std::vector<Located> protect;  // existing ones that are not hidden as well
  std::vector<Located> hide;     // existing ones
  // Protected names that do not exist. After the run bawn checks whether the command made them.
  std::vector<std::string> still_missing;
  Violations violations;
};

// `verdict` has the located workspace and the scope.
[[nodiscard]] WorkspaceExceptions find_exceptions(const Policy& policy, const Verdict& verdict,
                                                  const PathLookup& lookup);

// Makes a policy path absolute; relative paths start at the workspace.
[[nodiscard]] std::string in_workspace(std::string_view path, std::string_view workspace);

// The directories between the workspace and a path below it, outermost first, without either end. A
// command that can rename one of them can evade any rule for `path`.
[[nodiscard]] std::vector<std::string> directories_between(std::string_view workspace,
                                                           std::string_view path);

}  // namespace bawn
