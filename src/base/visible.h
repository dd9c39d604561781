// Makes text safe to show: nothing in the result moves the cursor, changes the writing direction or
// is invisible.
//
// Use it for every name and every output that a person or a model reads: messages, explanations,
// outcomes, logs. Control characters and bytes that are not UTF-8 become `\x1b`. Invisible
// characters (bidirectional, zero-width, tag and other format characters, fillers, noncharacters)
// become `\u202e` or `\U000e0041`. Joiners and style selectors inside an emoji stay, because they
// are common in ordinary output and change a picture that is visible. The result cannot be decoded
// again: a backslash in the text is not escaped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bawn {

enum class Layout {
  one_line,  // a line break is shown as `\x0a`
  lines,     // tab, newline and a carriage return before a newline stay
};

// Never fails: malformed bytes are shown as `\xNN`.
[[nodiscard]] std::string visible(std::string_view text, Layout layout);

// The same with Layout::lines, but returns nothing if `text` is not UTF-8.
[[nodiscard]] std::optional<std::string> visible_utf8(std::string_view text);

// Appends the visible form of the character at `at` and returns its length in `text`. Takes all of
// `text`, because the neighbours decide whether an emoji joiner stays.
std::size_t append_visible(std::string& out, std::string_view text, std::size_t at, Layout layout);

// True if the character has no visible glyph. Blanks count as visible. Controls are not covered:
// the answer for them is false.
[[nodiscard]] bool is_unseen(std::uint32_t point);

// `sequence` must be exactly one well-formed UTF-8 sequence (see utf8_sequence_length).
[[nodiscard]] std::uint32_t code_point(std::string_view sequence);

}  // namespace bawn
