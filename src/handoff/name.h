// The names of files that other programs obey. The table is name.inc.
//
// Pure. A pattern is matched part by part, as its directories are walked: the rows whose first part
// is a name are found by a binary search, the few that are left are compared one by one.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace bawn::handoff {

// What of a file counts.
enum class Reading {
  content,     // every byte, or the target if it is a link
  git_config,  // the keys of git_key.h
  scripts,     // some members of a JSON object (scripts.h)
};

// The texts are in the row: pointers to them would be relocated at every start of bawn.
struct HandoffName {
  char pattern[48] = "";
  Reading reading = Reading::content;
  char obeyed_by[56] = "";
  char effect[72] = "";
};

enum class NameTable {
  work_tree,
  git_directory,
  git_hooks,  // a directory that core.hooksPath names
};

[[nodiscard]] std::span<const HandoffName> handoff_names(NameTable table);

// The rows whose first part is `name`.
[[nodiscard]] std::span<const HandoffName> rows_named(NameTable table, std::string_view name);

// The part of the row's pattern at `depth`; "" if it has fewer.
[[nodiscard]] std::string_view part_of(const HandoffName& row, std::size_t depth);

// A sample (NAME.sample) never matches a '*': git and its relatives do not run it.
[[nodiscard]] bool part_matches(std::string_view part, std::string_view name);

}  // namespace bawn::handoff
