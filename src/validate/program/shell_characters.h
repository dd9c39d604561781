// Kinds of characters as a shell sees them.
#pragma once

#include "base/characters.h"

namespace bawn {

[[nodiscard]] constexpr bool starts_shell_name(char c) { return is_letter(c) || c == '_'; }
[[nodiscard]] constexpr bool is_shell_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace bawn
