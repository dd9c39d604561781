// Finds the few positions in a text at which one of many strings may start, fast.
//
// Only the first four bytes of each string count. The table has, for each byte value, four fields
// of 16 bits: bit g of field k says that the byte occurs as byte k of a string in group g. The AND
// of four table entries is the set of groups that may start at a position. The first two entries
// alone rule out most positions. The cost is one load per byte, and positions do not depend on each
// other.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bawn::redaction {

// A set of groups, one bit each. A bit means "look closer here": a hit may be false, a miss is
// certain.
using Groups = std::uint16_t;

struct AnchorHit {
  std::size_t at = 0;
  Groups groups = 0;  // 0: nothing found, and `at` is the end of the range
};

class AnchorTable {
 public:
  static constexpr std::size_t kLength = 4;

  // Declares that strings of `group` may have `byte` as their byte number `place` (0 to 3).
  constexpr void add(std::size_t place, unsigned char byte, Groups group) {
    entries_[byte] |= static_cast<std::uint64_t>(group) << (16 * place);
  }

  // The first position in text[from, to) at which a string may start. A string whose first four
  // bytes do not all lie inside `text` is not found.
  [[nodiscard]] AnchorHit next(std::string_view text, std::size_t from, std::size_t to) const {
    constexpr std::size_t kStride = 8;
    const std::size_t last = std::min(to, text.size() < kLength ? 0 : text.size() - kLength + 1);
    const char* const bytes = text.data();  // `last` keeps every access inside the text
    std::size_t i = from;
    // Most strides do not contain the first two bytes of any string: one branch for eight bytes.
    for (; i + kStride <= last; i += kStride) {
      std::uint64_t any = 0;
      for (std::size_t k = 0; k < kStride; ++k) any |= pair_at(bytes + i + k);
      if ((any & 0xffff) == 0) continue;
      any = 0;
      for (std::size_t k = 0; k < kStride; ++k) any |= groups_at(bytes + i + k);
      if ((any & 0xffff) != 0) break;
    }
    for (; i < last; ++i) {
      if (const Groups groups = groups_at(bytes + i); groups != 0) return {i, groups};
    }
    return {to, 0};
  }

 private:
  [[nodiscard]] std::uint64_t entry(const char* byte) const {
    return entries_[static_cast<unsigned char>(*byte)];
  }
  // Field 0 holds the groups that match at bytes 0 and 1; field 2 those that match as their bytes 2
  // and 3.
  [[nodiscard]] std::uint64_t pair_at(const char* bytes) const {
    return entry(bytes) & (entry(bytes + 1) >> 16);
  }
  [[nodiscard]] Groups groups_at(const char* bytes) const {
    return static_cast<Groups>(pair_at(bytes) & (pair_at(bytes + 2) >> 32) & 0xffff);
  }

  std::array<std::uint64_t, 256> entries_{};
};

}  // namespace bawn::redaction
