// The user and the group that own a file.
#pragma once

#include <cstdint>
#include <tuple>

namespace bawn {

struct FileOwner {
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  bool operator==(const FileOwner&) const = default;
  [[nodiscard]] bool operator<(const FileOwner& other) const {
    return std::tie(uid, gid) < std::tie(other.uid, other.gid);
  }
};

}  // namespace bawn
