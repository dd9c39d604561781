// The places in a stream at which a secret could be announced.
#pragma once

#include <cstddef>
#include <string_view>

#include "capture/redaction/anchor.h"

namespace bawn::redaction {

inline constexpr Groups kNameGroups = 0x01ff;  // words that name a secret
inline constexpr Groups kUrlGroup = 0x0200;
inline constexpr Groups kCredentialGroup = 0x0400;
inline constexpr Groups kKeyBlockGroup = 0x0800;
// These are rare, so they share a bit with others.
inline constexpr Groups kUserOptionGroup = kKeyBlockGroup;
inline constexpr Groups kPasswordOptionGroup = kUrlGroup;
inline constexpr Groups kPgpassGroups = kCredentialGroup | kKeyBlockGroup;
inline constexpr Groups kTokenGroups = 0xf000;

// The first place in text[from, to) where a trigger may start. Triggers that do not end inside
// `text` are not found.
[[nodiscard]] AnchorHit next_trigger(std::string_view text, std::size_t from, std::size_t to);

}  // namespace bawn::redaction
