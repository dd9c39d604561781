// Small pieces of text handling that every layer above needs. Bytes only: no locale, no streams.
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
[[nodiscard]] std::string concat(const Pieces&... pieces) {
  std::string out;
  (text_detail::append(out, pieces), ...);
  return out;
}

// 'text' for a message: quotes are escaped, what a terminal obeys or a reader does not see is made
// visible (base/visible.h), long text is shortened. The result can be printed on a terminal
// whatever the text was.
[[nodiscard]] std::string quote(std::string_view text);

// "a, b and c".
[[nodiscard]] std::string enumerated(std::span<const std::string> items);

// "a, b or c".
[[nodiscard]] std::string one_of(std::span<const std::string_view> words);

// The candidate that `typed` was probably meant to be, or "" if none is close.
[[nodiscard]] std::string_view nearest(std::string_view typed,
                                       std::span<const std::string_view> candidates);

[[nodiscard]] std::string ascii_lower(std::string_view text);
[[nodiscard]] std::vector<std::string_view> split(std::string_view text, char separator);

// The number of bytes (1..4) of the well-formed UTF-8 sequence that `text` starts with; 0 if it
// starts with none.
[[nodiscard]] std::size_t utf8_sequence_length(std::string_view text);

[[nodiscard]] std::string base64(std::string_view bytes);
[[nodiscard]] std::string hex(std::span<const unsigned char> bytes);

}  // namespace bawn
