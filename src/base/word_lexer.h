// Splits one line into the words of a command, without evaluating anything.
//
// It is the one splitter for text that is meant to be a command line but goes to no shell of ours:
// a value of an option, the text of env -S, a line that a model wrote. What differs between them is
// a set of rules. Text that a shell would expand, or that implementations read differently, has no
// words: a word is never guessed. Shell code is read by validate/shell/shell_words.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct WordRules {
  std::string_view blanks;                   // between words
  bool (*is_refused)(char) = nullptr;        // outside of quotes; never asked about blanks
  std::string_view refused_at_start = {};    // as the first character of a word
  std::string_view refused_in_doubles = {};  // between double quotes
  bool comments = false;                     // '#' at the start of a word ends the text
  bool escapes = false;  // a backslash, also in quotes, keeps the next character, unless that is a
                         // letter or '_', which implementations read differently
};

// Single and double quotes keep blanks and may be empty words. Empty if the text breaks a rule or
// ends in an open quote.
[[nodiscard]] std::optional<std::vector<std::string>> split_words(std::string_view text,
                                                                  const WordRules& rules);

}  // namespace bawn
