#include "handoff/name.h"

#include <algorithm>

namespace bawn::handoff {
namespace {

constexpr HandoffName kWorkTreeNames[] = {
#define BAWN_NAME(pattern, reading, obeyed_by, effect, told, quiet) \
  {pattern, Reading::reading, obeyed_by, effect},
#include "handoff/name.inc"
};

constexpr HandoffName kGitNames[] = {
#define BAWN_GIT_NAME(pattern, reading, obeyed_by, effect, told, quiet) \
  {pattern, Reading::reading, obeyed_by, effect},
#include "handoff/name.inc"
};

constexpr HandoffName kGitHooks[] = {
    {"*", Reading::content, "git, because of core.hooksPath", "is run"}};

constexpr std::string_view first_part(const HandoffName& row) {
  const std::string_view pattern = row.pattern;
  return pattern.substr(0, pattern.find('/'));
}

static_assert(std::ranges::is_sorted(kWorkTreeNames, {}, first_part));
static_assert(std::ranges::is_sorted(kGitNames, {}, first_part));

}  // namespace

std::span<const HandoffName> handoff_names(NameTable table) {
  switch (table) {
    case NameTable::git_directory:
      return kGitNames;
    case NameTable::git_hooks:
      return kGitHooks;
    case NameTable::work_tree:
      break;
  }
  return kWorkTreeNames;
}

std::span<const HandoffName> rows_named(NameTable table, std::string_view name) {
  const auto rows = handoff_names(table);
  const auto first = std::ranges::lower_bound(rows, name, {}, first_part);
  const auto other = std::ranges::find_if(
      first, rows.end(), [&](const HandoffName& row) { return first_part(row) != name; });
  return {first, other};
}

std::string_view part_of(const HandoffName& row, std::size_t depth) {
  std::string_view rest = row.pattern;
  for (; depth != 0; --depth) {
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return "";
    rest.remove_prefix(slash + 1);
  }
  return rest.substr(0, rest.find('/'));
}

bool part_matches(std::string_view part, std::string_view name) {
  const std::size_t star = part.find('*');
  if (star == std::string_view::npos) return part == name;
  const std::string_view front = part.substr(0, star);
  const std::string_view back = part.substr(star + 1);
  return name.size() >= front.size() + back.size() && name.starts_with(front) &&
         name.ends_with(back) && !name.ends_with(".sample");
}

}  // namespace bawn::handoff
