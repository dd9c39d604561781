// Finds the few places in a text where one of many strings may start, fast.
//
// Of every string the first four bytes count. A table has, for each byte value, four fields of 16
// bits: field k says for which groups of strings that byte may stand at place k. The AND of four
// table entries is then the set of groups that may start at a position, and the first two alone
// rule out most: one load a byte, no dependence between positions.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bawn::redaction {

// More than one bit may be set for a place. A bit is a promise to look closer, not a finding.
using Groups = std::uint16_t;

struct AnchorHit {
  std::size_t at = 0;
  Groups groups = 0;  // 0: there is none, and `at` is the end of the range
};

class AnchorTable {
 public:
  static constexpr std::size_t kLength = 4;

  constexpr void add(std::size_t place, unsigned char byte, Groups group) {
    entries_[byte] |= static_cast<std::uint64_t>(group) << (16 * place);
  }

  // The first place in text[from, to) where a string may start. One whose four bytes do not end
  // inside `text` is not found.
  [[nodiscard]] AnchorHit next(std::string_view text, std::size_t from, std::size_t to) const {
    constexpr std::size_t kStride = 8;
    const std::size_t last = std::min(to, text.size() < kLength ? 0 : text.size() - kLength + 1);
    const char* const bytes = text.data();  // `last` keeps every place inside the text
    std::size_t i = from;
    // Whole strides without the first two bytes of any are the ordinary case: one branch for eight
    // bytes.
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
  // Field 0: the groups whose first two bytes may stand here; field 2: the same for the last two.
  [[nodiscard]] std::uint64_t pair_at(const char* bytes) const {
    return entry(bytes) & (entry(bytes + 1) >> 16);
  }
  [[nodiscard]] Groups groups_at(const char* bytes) const {
    return static_cast<Groups>(pair_at(bytes) & (pair_at(bytes + 2) >> 32) & 0xffff);
  }

  std::array<std::uint64_t, 256> entries_{};
};

}  // namespace bawn::redaction
