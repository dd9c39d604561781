// Where bawn looks for files that the command has written and that other programs obey
// (handoff/watch.h).
//
// Only in places that the command may write and that stay after the run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "plan/git/git_directories.h"
#include "validate/scope.h"

namespace bawn {

struct HandoffPlan {
  struct Root {
    std::string path;    // canonical host path
    std::string prefix;  // before the names below it when they are told; "" for the workspace
  };
  // The directory of a repository below a root.
  struct GitDirectory {
    std::size_t root = 0;
    std::string path;  // relative to it; "" for a bare repository at the root
  };
  std::vector<Root> roots;
  std::vector<GitDirectory> git;
  std::string unsearched;  // GitDirectories::unsearched, as it is told
};

[[nodiscard]] HandoffPlan plan_handoff(const GitDirectories& git, const Scope& scope);

}  // namespace bawn
