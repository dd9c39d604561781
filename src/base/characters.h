// Classes of ASCII characters.
//
// Independent of the locale, unlike <cctype>, and defined for every `char`: a byte above 0x7f is in
// none of these classes. Not for Unicode text; base/visible.h reads code points.
#pragma once

#include <string_view>

namespace bawn {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
[[nodiscard]] constexpr bool is_letter(char c) { return is_lower(c) || (c >= 'A' && c <= 'Z'); }
// C0 controls and DEL. The C1 controls need two bytes in UTF-8 and are not recognised here.
[[nodiscard]] constexpr bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// One or more decimal digits and nothing else: no sign, no blank. The value may not fit an integer.
[[nodiscard]] constexpr bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace bawn
