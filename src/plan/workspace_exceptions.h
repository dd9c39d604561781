// What of the workspace the command may not change or not see: workspace.protect and
// workspace.hide, looked up and judged.
//
// Every boundary that can make an exception inside a writable directory makes the same ones, and
// refuses the same ones.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"
#include "validate/lookup.h"
#include "validate/violation.h"

namespace bawn {

struct WorkspaceExceptions {
  std::vector<Located> protect;  // they exist, and are not hidden anyway
  std::vector<Located> hide;     // they exist
  // Protected names that do not exist. Whether the command made them is looked at after the run.
  std::vector<std::string> still_missing;
  Violations violations;
};

// `workspace` is the located root; its path is "" if there is none of the host's.
[[nodiscard]] WorkspaceExceptions find_exceptions(const Policy& policy, const Located& workspace,
                                                  const PathLookup& lookup);

// A path of the policy, which may be relative to the workspace, as an absolute one.
[[nodiscard]] std::string in_workspace(std::string_view path, std::string_view workspace);

// The directories between the workspace and a path below it, outermost first, both ends left out.
// Who may rename one of them gets around whatever holds for the path.
[[nodiscard]] std::vector<std::string> directories_between(std::string_view workspace,
                                                           std::string_view path);

}  // namespace bawn
