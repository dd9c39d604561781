#include "backend/windows/syntax/command_line.h"

#include "base/text.h"

namespace bawn::windows {
namespace {

bool needs_quotes(std::string_view word) {
  return word.empty() || word.find_first_of(" \t\n\v\"") != std::string_view::npos;
}

Result<void> refuse_nul(std::string_view word) {
  if (word.find('\0') == std::string_view::npos) return {};
  return invalid_error(
      concat(quote(word), " contains a NUL byte, which would end the command line"));
}

}  // namespace

std::string quoted_word(std::string_view word) {
  if (!needs_quotes(word)) return std::string(word);
  std::string out = "\"";
  std::size_t backslashes = 0;
  for (const char c : word) {
    if (c == '\\') {
      ++backslashes;
      continue;
    }
    // A backslash is special only before a quote.
    out.append(c == '"' ? 2 * backslashes + 1 : backslashes, '\\');
    backslashes = 0;
    out += c;
  }
  out.append(2 * backslashes, '\\');
  return out += '"';
}

Result<std::string> command_line(std::span<const std::string> words) {
  if (words.empty()) return invalid_error("a command line needs a program");
  for (const std::string& word : words) BAWN_TRY(refuse_nul(word));
  if (words.front().find('"') != std::string::npos)
    return invalid_error(concat("the program ", quote(words.front()), " has a quote in its name"));
  std::string out = concat("\"", words.front(), "\"");
  for (const std::string& word : words.subspan(1)) out += concat(" ", quoted_word(word));
  return out;
}

}  // namespace bawn::windows
