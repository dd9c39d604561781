#include "validate/shell/command_words.h"

#include <algorithm>

#include "base/text.h"
#include "validate/shell/shell_characters.h"

namespace bawn {

bool is_unknown(std::string_view word) { return word.find(kUnknownByte) != std::string_view::npos; }

std::string joined_words(std::span<const std::string> words) {
  std::string out;
  for (const std::string& word : words) out += concat(out.empty() ? "" : " ", word);
  return out;
}

std::vector<std::string> split_at_blanks(std::string_view text) {
  std::vector<std::string> out;
  for (const std::string_view word : split(text, ' ')) {
    if (!word.empty()) out.emplace_back(word);
  }
  return out;
}

bool is_plain_words(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return starts_shell_name(c) || is_digit(c) ||
           std::string_view(" \t-./,:@%+=").find(c) != std::string_view::npos;
  });
}

std::optional<std::vector<std::string>> split_quoted_words(std::string_view text) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '$' && quote != '\'') return std::nullopt;
    if (quote == '\0' && (is_shell_blank(c) || c == '\n')) {
      in_word = false;
      continue;
    }
    if (quote == '\0' && c == '#' && !in_word) break;
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == quote && quote != '\0') {
      quote = '\0';
    } else if (quote == '\0' && (c == '\'' || c == '"')) {
      quote = c;
    } else if (c == '\\') {
      // Implementations agree only that a backslash keeps the next character if that is no letter.
      if (i + 1 >= text.size() || starts_shell_name(text[i + 1])) return std::nullopt;
      words.back() += text[++i];
    } else {
      words.back() += c;
    }
  }
  if (quote != '\0') return std::nullopt;
  return words;
}

}  // namespace bawn
