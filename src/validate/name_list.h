// Membership in a short table of names, by linear search.
//
// For the constant tables of this folder, which have a few dozen entries and need not be sorted.
// Names are compared byte by byte.
#pragma once

#include <algorithm>
#include <string_view>

namespace bawn {

// True if `table` holds `name`.
template <class Table>
[[nodiscard]] bool lists(const Table& table, std::string_view name) {
  return std::find(table.begin(), table.end(), name) != table.end();
}

}  // namespace bawn
