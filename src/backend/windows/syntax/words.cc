#include "backend/windows/syntax/words.h"

#include <algorithm>

#include "backend/windows/syntax/path.h"
#include "base/characters.h"
#include "base/text.h"

namespace bawn::windows {
namespace {

// Characters after which a path may begin: before a value, or between items of a list.
constexpr std::string_view kSeparators = "=,;@<\"' ";

bool names_drive(std::string_view text) {
  return text.size() >= 2 && is_letter(text[0]) && text[1] == ':';
}

std::string ascii_upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

class Translator {
 public:
  explicit Translator(const WordContext& context) : context_(context) {}

  // `text` uses '/' only. A relative path, or text that is not a path, is returned unchanged.
  [[nodiscard]] std::string path(std::string_view text) const {
    if (text.starts_with("//") || names_drive(text)) return own_path(text);
    // `\c\x` is at the root of the current drive; it is not `C:\x`.
    const std::string_view rest = text.substr(0, 1) == "/" ? text.substr(1) : "";
    if (rest.substr(0, rest.find('/')).size() == 1) return concat(current_drive(), text);
    return std::string(text);
  }

  // For paths that bawn itself uses: they may be portable already.
  [[nodiscard]] std::string own_path(std::string_view text) const {
    if (text.starts_with("//")) return concat(kOnNoDrive, text.substr(1));
    return names_drive(text) ? on_drive(text) : std::string(text);
  }

  [[nodiscard]] std::string word(std::string_view text) const {
    std::size_t end = std::min(text.find_first_of(kSeparators), text.size());
    std::string out = first_part(text.substr(0, end));
    while (end < text.size()) {
      const std::size_t start = end + 1;
      out += text[end];
      end = std::min(text.find_first_of(kSeparators, start), text.size());
      out += path(text.substr(start, end - start));
    }
    return out;
  }

 private:
  [[nodiscard]] std::string on_drive(std::string_view text) const {
    const std::string letter = ascii_lower(text.substr(0, 1));
    if (text.size() > 2 && text[2] == '/') return concat("/", letter, text.substr(2));
    // `c:x` is relative to the current directory of drive C, which is unknown; the lookup refuses
    // it. If there is no such drive, `a:b` is text.
    return context_.is_drive(letter.front()) ? concat(kOnNoDrive, "/", text) : std::string(text);
  }

  // Options are at the start of a word: `/s`, `/out:C:\x`, `-IC:\x`.
  [[nodiscard]] std::string first_part(std::string_view text) const {
    const bool is_option = text.starts_with('-') || is_switch(text);
    if (!is_option) return path(text);
    const std::size_t value = names_drive(text.substr(std::min<std::size_t>(2, text.size())))
                                  ? 2
                                  : std::min(text.find(':'), text.size() - 1) + 1;
    return concat("-", text.substr(1, value - 1), path(text.substr(value)));
  }

  // If the name exists at the root of the drive, the word is taken as a path.
  [[nodiscard]] bool is_switch(std::string_view text) const {
    if (text.size() < 2 || text[0] != '/' || text[1] == '/') return false;
    const std::size_t end = std::min(text.find_first_of("/:", 1), text.size());
    if (end < text.size() && text[end] == '/') return false;
    return !context_.exists(concat(current_drive(), text.substr(0, end)));
  }

  [[nodiscard]] std::string current_drive() const { return context_.directory.substr(0, 2); }

  const WordContext& context_;
};

}  // namespace

std::string portable_spelling(std::string_view path, const WordContext& context) {
  return Translator(context).own_path(with_slashes(path));
}

std::string portable_word(std::string_view word, const WordContext& context) {
  // Only slashes: the start of a share name without a name. It cannot be opened.
  if (word.size() > 1 && word.find_first_not_of("/\\") == std::string_view::npos)
    return std::string(word);
  return Translator(context).word(with_slashes(word));
}

Request portable_request(const Request& request, const WordContext& context) {
  Request out = request;
  out.command = portable_spelling(request.command, context);
  for (std::string& word : out.args) word = portable_word(word, context);
  out.cwd = portable_spelling(request.cwd, context);
  // Windows ignores case in variable names, and the validator's rules use upper case
  // (NODE_OPTIONS).
  out.env.clear();
  for (const auto& [name, value] : request.env) out.env.emplace(ascii_upper(name), value);
  return out;
}

}  // namespace bawn::windows
