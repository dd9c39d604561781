#include "validate/shell/command_words.h"

#include "base/text.h"
#include "base/word_lexer.h"
#include "validate/shell/shell_characters.h"

namespace bawn {

bool is_unknown(std::string_view word) { return word.find(kUnknownByte) != std::string_view::npos; }

std::string joined_words(std::span<const std::string> words) {
  std::string out;
  for (const std::string& word : words) out += concat(out.empty() ? "" : " ", word);
  return out;
}

std::optional<std::vector<std::string>> unquoted_words(std::string_view text) {
  constexpr auto kIsSpecial = [](char c) {
    return !starts_shell_name(c) && !is_digit(c) &&
           std::string_view("-./,:@%+=").find(c) == std::string_view::npos;
  };
  return split_words(text, {.blanks = " \t", .is_refused = kIsSpecial});
}

std::optional<std::vector<std::string>> quoted_words(std::string_view text) {
  return split_words(text, {.blanks = " \t\r\n",
                            .is_refused = [](char c) { return c == '$'; },
                            .refused_in_doubles = "$",
                            .comments = true,
                            .escapes = true});
}

}  // namespace bawn
