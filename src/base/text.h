// Text functions that every folder may use.
//
// They work on bytes: no locale, no streams, no regular expressions. All of them are pure;
// functions that return std::string_view return a part of their argument, which must outlive it.
// For text that is shown to people, use quote() or base/visible.h: other strings here are not safe
// for a terminal.
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

namespace text_detail {
inline void append(std::string& out, std::string_view piece) { out += piece; }
inline void append(std::string& out, char piece) { out += piece; }
template <std::integral Integer>
void append(std::string& out, Integer number) {
  out += std::to_string(number);
}
}  // namespace text_detail

// concat("bind ", quote(path), ": ", 3) -- strings and integers, one after the other.
template <class... Pieces>
// Joins strings, characters and integers: concat("bind ", quote(path), ": ", 3).
[[nodiscard]] std::string concat(const Pieces&... pieces) {
  std::string out;
  (text_detail::append(out, pieces), ...);
  return out;
}

// 'text' for a message. Quotes and backslashes are escaped, text beyond 256 bytes is cut and its
// length is given instead. Characters that control a terminal or are invisible are escaped
// (base/visible.h), so the result is safe to print whatever `text` holds.
[[nodiscard]] std::string quote(std::string_view text);

// "a, b and c".
[[nodiscard]] std::string enumerated(std::span<const std::string> items);

// "a, b or c".
[[nodiscard]] std::string one_of(std::span<const std::string_view> words);

// The candidate that `typed` is probably a misspelling or a beginning of; "" if none is close.
[[nodiscard]] std::string_view nearest(std::string_view typed,
                                       std::span<const std::string_view> candidates);

[[nodiscard]] std::string ascii_lower(std::string_view text);
// Always at least one element; empty elements are kept: split("a,,", ',') has three.
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// The length (1 to 4) of the well-formed UTF-8 sequence at the front of `text`; 0 if there is none.
// Overlong forms, surrogates and code points above U+10FFFF are not well-formed.
[[nodiscard]] std::size_t utf8_sequence_length(std::string_view text);

// With padding, on one line.
[[nodiscard]] std::string base64(std::string_view bytes);
// Lower case.
[[nodiscard]] std::string hex(std::span<const unsigned char> bytes);

}  // namespace bawn
