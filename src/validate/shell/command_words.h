// Command lines as lists of words, and the mark for text that is only known when the command runs.
//
// Shared by the readers of launchers and of shell code. Nothing here expands anything: no
// variables, no globs. A word is never guessed; where its text is unknown it contains kUnknownByte.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// Takes the place of text that is only known when the command runs. A request never contains this
// byte.
inline constexpr char kUnknownByte = '\0';

// True if the word has an unknown part.
[[nodiscard]] bool is_unknown(std::string_view word);

// The words with one space between them. For messages and for text that a shell gets; quotes
// nothing.
[[nodiscard]] std::string joined_words(std::span<const std::string> words);

// The words of a text that a shell would split at blanks and change in no other way. Empty if it
// has a quote, expansion, operator or glob.
[[nodiscard]] std::optional<std::vector<std::string>> unquoted_words(std::string_view text);

// Splits a command line that has quotes and escapes but goes to no shell (env -S). Empty if it has
// an expansion, an open quote, or an escape that implementations read differently.
[[nodiscard]] std::optional<std::vector<std::string>> quoted_words(std::string_view text);

}  // namespace bawn
