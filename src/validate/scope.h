// Where a run may read and write: the workspace and the policy's grants, as canonical directories.
// Names are those of the run.
//
// Built once per validation from look-ups, so that a grant that is itself a link is compared by
// what it points to. Comparison is by whole components: `/work` contains `/work/a` and not
// `/work-evil`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"
#include "validate/lookup.h"

namespace bawn {

// True if `path` is `directory` or lies below it. Both canonical and absolute.
[[nodiscard]] constexpr bool path_is_within(std::string_view path, std::string_view directory) {
  if (directory.empty() || !path.starts_with(directory)) return false;
  return directory.back() == '/' || path.size() == directory.size() ||
         path[directory.size()] == '/';
}

// "/a/./b//../c/" -> "/a/c". Purely lexical: for spelling, never for deciding (links make `..` mean
// something else).
[[nodiscard]] std::string lexically_normal(std::string_view path);

struct Scope {
  std::vector<std::string> readable;  // canonical; includes everything writable
  std::vector<std::string> writable;
  std::string workspace;  // canonical; "" if there is none yet (a private one)
  // The same places by the host's names, which differ where a grant has a destination.
  std::vector<std::string> readable_on_host;
  std::vector<std::string> writable_on_host;

  [[nodiscard]] bool can_read(std::string_view canonical_path) const;

  // Whether the run can read the file, or write to it, be it by another name than this one.
  [[nodiscard]] bool can_see(const Located& file) const;
  [[nodiscard]] bool can_change(const Located& file) const;

  // The first of the links to the file that the run can lead elsewhere, as an earlier run could; ""
  // if there is none. Lives as long as the file's.
  [[nodiscard]] std::string_view writable_link(const Located& file) const;
};

// `workspace` is the located workspace root, and `lookup` knows the host's names; a missing grant
// is left out (the planner reports it).
[[nodiscard]] Scope make_scope(const Policy& policy, const Located& workspace,
                               const PathLookup& lookup);

}  // namespace bawn
