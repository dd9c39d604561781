// Command lines as lists of words, and the mark for what is not known before the command runs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// Stands in a word where its text is only known when the command runs. No request contains this
// byte.
inline constexpr char kUnknownByte = '\0';

[[nodiscard]] bool is_unknown(std::string_view word);

// The words with one blank between them.
[[nodiscard]] std::string joined_words(std::span<const std::string> words);

[[nodiscard]] std::vector<std::string> split_at_blanks(std::string_view text);

// True if the text holds nothing but words: no quote, expansion, operator or pattern.
[[nodiscard]] bool is_plain_words(std::string_view text);

// Splits a command line that is given to no shell but has quotes and escapes (env -S). Empty if it
// has expansions or open quotes.
[[nodiscard]] std::optional<std::vector<std::string>> split_quoted_words(std::string_view text);

}  // namespace bawn
