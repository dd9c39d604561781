// The positions in a stream at which a secret could start or be announced.
//
// A trigger only says which rules to try there (capture/redaction/rule.h); most hits are no
// secrets.
#pragma once

#include <cstddef>
#include <string_view>

#include "capture/redaction/anchor.h"

namespace bawn::redaction {

inline constexpr Groups kNameGroups = 0x01ff;  // words that name a secret
inline constexpr Groups kUrlGroup = 0x0200;
inline constexpr Groups kCredentialGroup = 0x0400;
inline constexpr Groups kKeyBlockGroup = 0x0800;
// Rare triggers share a bit with others; then more than one rule is tried.
inline constexpr Groups kUserOptionGroup = kKeyBlockGroup;
inline constexpr Groups kPasswordOptionGroup = kUrlGroup;
inline constexpr Groups kPgpassGroups = kCredentialGroup | kKeyBlockGroup;
inline constexpr Groups kTokenGroups = 0xf000;

// The first position in text[from, to) at which a trigger may start. A trigger that does not end
// inside `text` is not found.
[[nodiscard]] AnchorHit next_trigger(std::string_view text, std::size_t from, std::size_t to);

}  // namespace bawn::redaction
