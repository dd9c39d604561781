// The part of a policy about the one directory that the command works in.
#pragma once

#include <string>
#include <vector>

namespace bawn {

enum class WorkspaceMode {
  direct,       // the host directory, writable
  read_only,    // the host directory, read-only
  private_dir,  // a fresh empty directory that is removed after the run; "private" in text
};

// The hooks of git repositories in the workspace and in writable grants.
enum class GitHooksMode {
  protect,  // read-only, where the tier can do that; "protected" in text
  open,     // writable
};

struct WorkspacePolicy {
  std::string root;  // absolute; "": the caller chooses it (run: the current directory)
  WorkspaceMode mode = WorkspaceMode::direct;
  std::vector<std::string> hide;     // paths below root, relative to it or absolute
  std::vector<std::string> protect;  // likewise
  GitHooksMode git_hooks = GitHooksMode::protect;
  // Whether bawn tells which files that other programs obey the run has written.
  bool handoff = true;
  bool operator==(const WorkspacePolicy&) const = default;
};

}  // namespace bawn
