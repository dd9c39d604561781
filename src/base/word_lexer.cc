#include "base/word_lexer.h"

#include "base/characters.h"

namespace bawn {
namespace {

bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

class WordLexer {
 public:
  WordLexer(std::string_view text, const WordRules& rules) : text_(text), rules_(rules) {}

  std::optional<std::vector<std::string>> run() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_one_of(c, rules_.blanks)) {
        ++at_;
      } else if (rules_.comments && c == '#') {
        break;
      } else {
        words_.emplace_back();
        if (is_one_of(c, rules_.refused_at_start) || !read_word()) return std::nullopt;
      }
    }
    return std::move(words_);
  }

 private:
  bool read_word() {
    while (at_ < text_.size() && !is_one_of(text_[at_], rules_.blanks)) {
      const char c = text_[at_];
      if (rules_.is_refused(c)) return false;
      const bool quoted = c == '\'' || c == '"';
      if (quoted ? !read_quoted(c) : !read_character()) return false;
    }
    return true;
  }

  bool read_quoted(char quote) {
    for (++at_; at_ < text_.size() && text_[at_] != quote;) {
      if (quote == '"' && is_one_of(text_[at_], rules_.refused_in_doubles)) return false;
      if (!read_character()) return false;
    }
    return at_++ < text_.size();
  }

  bool read_character() {
    if (rules_.escapes && text_[at_] == '\\') {
      ++at_;
      if (at_ >= text_.size() || is_letter(text_[at_]) || text_[at_] == '_') return false;
    }
    words_.back() += text_[at_++];
    return true;
  }

  std::string_view text_;
  const WordRules& rules_;
  std::size_t at_ = 0;
  std::vector<std::string> words_;
};

}  // namespace

std::optional<std::vector<std::string>> split_words(std::string_view text, const WordRules& rules) {
  return WordLexer(text, rules).run();
}

}  // namespace bawn
