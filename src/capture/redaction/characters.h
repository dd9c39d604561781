// Sets of bytes, and ASCII helpers for the redaction rules.
//
// No locale, constexpr, no allocation. Only for src/capture/redaction; base/characters.h is for
// everything else.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace bawn::redaction {

// A set of byte values with constant-time lookup.
class CharSet {
 public:
  // "a-z0-9_": ranges and single bytes. A dash that means itself must come first.
  constexpr explicit CharSet(std::string_view spec) {
    for (std::size_t i = 0; i < spec.size(); ++i) {
      const bool range = i + 2 < spec.size() && spec[i + 1] == '-';
      const auto last = index(range ? spec[i + 2] : spec[i]);
      for (std::size_t c = index(spec[i]); c <= last; ++c) has_[c] = true;
      if (range) i += 2;
    }
  }
  [[nodiscard]] constexpr bool has(char c) const { return has_[index(c)]; }
  [[nodiscard]] constexpr CharSet inverted() const {
    CharSet out("");
    for (std::size_t c = 0; c < has_.size(); ++c) out.has_[c] = !has_[c];
    return out;
  }
  [[nodiscard]] constexpr CharSet with(std::string_view more) const {
    CharSet out = *this;
    const CharSet added(more);
    for (std::size_t c = 0; c < has_.size(); ++c) out.has_[c] = has_[c] || added.has_[c];
    return out;
  }

 private:
  static constexpr std::size_t index(char c) { return static_cast<unsigned char>(c); }
  std::array<bool, 256> has_{};
};

inline constexpr CharSet kBase64("A-Za-z0-9+/=");

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_letter(char c) { return is_lower(lower(c)); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t'; }

inline constexpr CharSet kBlanks(" \t");
inline constexpr CharSet kDigits("0-9");
inline constexpr CharSet kWord("A-Za-z0-9_");
inline constexpr CharSet kSpaceAndControls(std::string_view("\0-\x20\x7f", 4));
inline constexpr CharSet kQuotes("\"'`");
inline constexpr CharSet kWordEnd = kSpaceAndControls.with("\"'`");
// Characters around the lines of a key in source code, quotations and logs.
inline constexpr CharSet kDecoration(" \t\r\\\"'|>,");

// run_of: how many bytes at the front of `text` are in the set. run_until: how many are not.
constexpr std::size_t run_of(std::string_view text, const CharSet& set) {
  std::size_t n = 0;
  while (n < text.size() && set.has(text[n])) ++n;
  return n;
}
constexpr std::size_t run_until(std::string_view text, const CharSet& stop) {
  std::size_t n = 0;
  while (n < text.size() && !stop.has(text[n])) ++n;
  return n;
}

// These three ignore the case of `text`. `pattern` must be in lower case.
constexpr bool starts_with_folded(std::string_view text, std::string_view pattern) {
  if (text.size() < pattern.size()) return false;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (lower(text[i]) != pattern[i]) return false;
  }
  return true;
}
constexpr bool ends_with_folded(std::string_view text, std::string_view pattern) {
  return text.size() >= pattern.size() &&
         starts_with_folded(text.substr(text.size() - pattern.size()), pattern);
}
constexpr bool equal_folded(std::string_view text, std::string_view pattern) {
  return text.size() == pattern.size() && starts_with_folded(text, pattern);
}

}  // namespace bawn::redaction
