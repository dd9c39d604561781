// The user and the group that own a file.
#pragma once

#include <compare>
#include <cstdint>

namespace bawn {

struct FileOwner {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  auto operator<=>(const FileOwner&) const = default;
};

}  // namespace bawn
