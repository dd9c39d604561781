// The paths that a run may read and write: the workspace and the policy's grants, as canonical
// directories.
//
// Built once per validation. Each grant is looked up first, so a grant that is a link counts as
// what it points to. Paths are compared by whole components: `/work` contains `/work/a` but not
// `/work-evil`. `readable` and `writable` are guest paths; the `..._on_host` lists are host paths.
// A scope explains refusals before the run; during the run the kernel enforces.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/workspace_policy.h"
#include "validate/lookup.h"

namespace bawn {

struct FilesystemPolicy;

// True if `path` is `directory` or lies below it. Both must be canonical and absolute; an empty
// `directory` contains nothing.
[[nodiscard]] constexpr bool path_is_within(std::string_view path, std::string_view directory) {
  if (directory.empty() || !path.starts_with(directory)) return false;
  return directory.back() == '/' || path.size() == directory.size() ||
         path[directory.size()] == '/';
}

// "/a/./b//../c/" -> "/a/c". Purely lexical, so it is wrong where a link comes before `..`. Not for
// deciding about a path whose links were not followed.
[[nodiscard]] std::string lexically_normal(std::string_view path);

struct Scope {
  std::vector<std::string> readable;  // guest paths, canonical; includes everything writable
  std::vector<std::string> writable;  // guest paths, canonical
  std::string workspace;              // canonical; "" for a private one, which does not exist yet
  // Host paths of the same directories. They differ where a grant has a destination.
  std::vector<std::string> readable_on_host;
  std::vector<std::string> writable_on_host;

  // By guest path.
  [[nodiscard]] bool can_read(std::string_view canonical_path) const;

  // Whether the run can read or write the file under any name: compares host paths.
  [[nodiscard]] bool can_see(const Located& file) const;
  [[nodiscard]] bool can_change(const Located& file) const;

  // The first link on the way to the file that lies in a writable directory: this run can redirect
  // it, and an earlier run could. "" if there is none. The view points into `file.links`.
  [[nodiscard]] std::string_view writable_link(const Located& file) const;
};

// `workspace` is the located workspace; `lookup` must look host paths up. A grant or workspace that
// is missing or cannot be looked up is left out, so it never widens the scope. The planner reports
// a missing grant.
[[nodiscard]] Scope make_scope(WorkspaceMode mode, const FilesystemPolicy& grants,
                               const Located& workspace, const PathLookup& lookup);

}  // namespace bawn
