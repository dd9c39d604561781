// Which ids a user namespace has, and whom the host takes each of them for. Values only;
// id_mapping.h makes them true.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// As an id the kernel takes it for "leave it as it is".
inline constexpr std::uint64_t kNobodysId = 0xffff'ffff;

// Ids of the host, one after the other. Never empty, and never as far as 2^32-1, which is nobody's.
struct IdRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
  bool operator==(const IdRange&) const = default;
};

// One line of /proc/PID/uid_map or gid_map.
struct IdExtent {
  std::uint32_t inside = 0;
  std::uint32_t outside = 0;  // on the host
  std::uint32_t count = 1;
  bool operator==(const IdExtent&) const = default;
};

// By ascending `inside`, as the kernel shows it.
using IdMap = std::vector<IdExtent>;

struct IdMaps {
  IdMap users;
  IdMap groups;
  bool operator==(const IdMaps&) const = default;
};

// `own` stays where it is; every other id inside, from 0 up, is the next of `ranges`, until those
// are used up. No id of the host is there twice, and the host's root only if `own` is root.
[[nodiscard]] IdMap plan_id_map(const IdExtent& own, std::span<const IdRange> ranges);

// As the kernel takes it: "0 100000 1000\n1000 1000 1\n".
[[nodiscard]] std::string id_map_text(const IdMap& map);

// The kernel takes a map in one write of less than a page.
[[nodiscard]] bool fits_kernel(const IdMap& map);

// As the kernel shows it; nothing if it is anything else.
[[nodiscard]] std::optional<IdMap> parse_id_map(std::string_view text);

// For people: "0-999 are 100000-100999, 1000 is 1000".
[[nodiscard]] std::string describe_id_map(const IdMap& map);

}  // namespace bawn
