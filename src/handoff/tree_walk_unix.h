// Looks below a root, after a run, for what the run has left anywhere in it: links that lead out,
// set-id bits, files and links that name a repository, repositories with hooks or a configuration
// that runs programs, those below `.git` of another one as well.
//
// It looks at the entries of directories that have changed, and not below node_modules. A set-id
// bit that was given to a file that existed before, in a directory that has not changed, is not
// found. Bounded; what is beyond a bound is told as not looked at.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "outcome/outcome.h"

namespace bawn::handoff {

struct WalkInput {
  int root = -1;                           // borrowed
  std::string path{};                      // its host path
  std::string prefix{};                    // before each name when it is told
  std::int64_t since_ns = 0;               // what changed before is not of the run
  std::span<const std::string> known_git;  // repositories that were looked at, relative to the root
};

[[nodiscard]] std::vector<Handoff> walk_tree(const WalkInput& input);

}  // namespace bawn::handoff
