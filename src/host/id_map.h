// Id maps of a user namespace: which ids exist inside, and which host id each one is.
//
// Values and text only. host/id_mapping.h writes them to /proc; host/id_ranges.h finds the host ids
// that may be used.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// (uid_t)-1: the kernel reads it as "leave unchanged" in setresuid and chown, so it is never an id.
inline constexpr std::uint64_t kNobodysId = 0xffff'ffff;

// Consecutive host ids. Never empty, and never includes 2^32-1.
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

// Sorted by `inside`, as the kernel prints it.
using IdMap = std::vector<IdExtent>;

struct IdMaps {
  IdMap users;
  IdMap groups;
  bool operator==(const IdMaps&) const = default;
};

// Maps `own` as given. The other ids inside, from 0 up, get the ids of `ranges` in order until
// these are used up. No host id appears twice. Host root appears only if `own` is root.
[[nodiscard]] IdMap plan_id_map(const IdExtent& own, std::span<const IdRange> ranges);

// Of a mount: files of `owner` belong to `user`; all others keep the owner that they have on disk.
// A file of `user` has no owner there: no two ids may be shown as one.
[[nodiscard]] IdMap plan_mount_map(std::uint32_t owner, std::uint32_t user);

// In the kernel's input format: "0 100000 1000\n1000 1000 1\n".
[[nodiscard]] std::string id_map_text(const IdMap& map);

// Whether the text is shorter than a page: the kernel accepts a map in one write of less than that.
[[nodiscard]] bool fits_kernel(const IdMap& map);

// Parses the content of /proc/PID/uid_map; nullopt if it is malformed.
[[nodiscard]] std::optional<IdMap> parse_id_map(std::string_view text);

// For people: "0-999 are 100000-100999, 1000 is 1000".
[[nodiscard]] std::string describe_id_map(const IdMap& map);

}  // namespace bawn
