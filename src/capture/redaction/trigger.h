// Finds the few places in a stream at which a secret could be announced, fast.
//
// Every trigger is four bytes long. A table has, for each byte value, four fields of 16 bits: field k says
// for which groups of triggers that byte may stand at place k. The AND of four table entries is then the set
// of groups that may start at a position: one load a byte, no branch, no dependence between positions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace bawn::redaction {

// Groups; more than one bit may be set for a place. A bit is a promise to look closer, not a finding.
using Groups = std::uint16_t;
inline constexpr Groups kNameGroups = 0x01ff;  // words that name a secret
inline constexpr Groups kUrlGroup = 0x0200;
inline constexpr Groups kCredentialGroup = 0x0400;
inline constexpr Groups kKeyBlockGroup = 0x0800;
inline constexpr Groups kUserOptionGroup = kKeyBlockGroup;  // both are rare, so they share the bit
inline constexpr Groups kTokenGroups = 0xf000;

struct Place {
  std::size_t at = 0;
  Groups groups = 0;  // 0: there is none, and `at` is the end of the range
};

// The first place in text[from, to) where a trigger may start. Triggers that do not end inside `text` are
// not found.
[[nodiscard]] Place next_trigger(std::string_view text, std::size_t from, std::size_t to);

}  // namespace bawn::redaction
