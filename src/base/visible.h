// Text as it can be shown: nothing in it moves a cursor, turns the direction of writing, or stays
// unseen.
//
// For every name and every output that a person or a model reads: messages, explanations, records,
// logs. A control byte and a byte that is no UTF-8 are shown as `\x1b`; a character that is not
// seen (bidirectional, zero-width, tag and other format characters, fillers, noncharacters) as
// `\u202e` or `\U000e0041`. It is for reading and is not meant to be undone: a backslash of the
// text itself stays as it is. Only what joins one picture of an emoji stays unescaped: it changes
// what is seen there, and stands in ordinary output.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bawn {

enum class Layout {
  one_line,  // a break of the line is shown as `\x0a`
  lines,     // tab, newline and the carriage return before a newline stay
};

[[nodiscard]] std::string visible(std::string_view text, Layout layout);

// The same with lines; nothing if `text` is not UTF-8.
[[nodiscard]] std::optional<std::string> visible_utf8(std::string_view text);

// Appends the character at `at` as it is shown and returns how many bytes it has in `text`.
std::size_t append_visible(std::string& out, std::string_view text, std::size_t at, Layout layout);

// Whether the character leaves no mark of its own on paper. Controls are not asked about here, and
// blanks are seen.
[[nodiscard]] bool is_unseen(std::uint32_t point);

// `sequence` is one well-formed UTF-8 sequence.
[[nodiscard]] std::uint32_t code_point(std::string_view sequence);

}  // namespace bawn
