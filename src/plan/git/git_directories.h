// Finds the directories of git repositories by reading files. It never runs git.
//
// A repository's directory is `.git` in a work tree, the directory that a file `.git` names (a
// linked worktree, a submodule), the directory that `commondir` names, and each one below `modules`
// and `worktrees`. A bare repository is its own.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "validate/lookup.h"

namespace bawn {

struct GitDirectories {
  std::vector<std::string> all;     // each has a config of its own
  std::vector<Located> hooks;       // of all of them; missing ones too
  std::vector<std::string> names;   // files and links `.git`, which say where the repository is
  std::vector<Located> redirected;  // configurations with core.hooksPath
  std::string unsearched;           // from here on there are more than are looked for; "" if none
};

// Of the work trees or bare repositories at `roots`, which are canonical host paths. Looks at a
// bounded number of files in all. `host` looks up host paths.
[[nodiscard]] GitDirectories find_git_directories(std::span<const std::string> roots,
                                                  const PathLookup& host);

}  // namespace bawn
