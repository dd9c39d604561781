// Kinds of characters as a shell sees them.
//
// ASCII only and independent of the locale. '\n' is no blank here: it ends a command.
#pragma once

#include "base/characters.h"

namespace bawn {

[[nodiscard]] constexpr bool starts_shell_name(char c) { return is_letter(c) || c == '_'; }
[[nodiscard]] constexpr bool is_shell_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace bawn
