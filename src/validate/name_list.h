// Whether a short table of names holds one.
#pragma once

#include <algorithm>
#include <string_view>

namespace bawn {

template <class Table>
[[nodiscard]] bool lists(const Table& table, std::string_view name) {
  return std::find(table.begin(), table.end(), name) != table.end();
}

}  // namespace bawn
