#include "validate/shell/shell_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "validate/name_list.h"
#include "validate/shell/shell_characters.h"

namespace bawn {
namespace {

constexpr int kDeepestNesting = 24;

// Keywords that are no command themselves. The next word, if any, may be one.
constexpr std::array<std::string_view, 14> kTransparentKeywords{
    "!",  "coproc", "do",   "done", "elif",  "else",  "esac",
    "fi", "if",     "then", "time", "until", "while", "{"};

// Keywords that begin a list of words that is no command: a variable and its values, or a value and
// patterns.
constexpr std::array<std::string_view, 3> kListKeywords{"case", "for", "select"};

// Writing here changes nothing but output that the caller gets anyway.
constexpr std::array<std::string_view, 4> kHarmlessTargets{"/dev/null", "/dev/stderr",
                                                           "/dev/stdout", "/dev/tty"};

bool ends_word(char c) {
  return is_shell_blank(c) || std::string_view("\n;&|()<>").find(c) != std::string_view::npos;
}

struct ShellWord {
  std::string text;
  bool quoted = false;      // some part was quoted, so it is no keyword
  bool expands = false;     // an unquoted pattern or brace list
  bool assignment = false;  // NAME=... with an unquoted name
};

class ShellReader {
 public:
  explicit ShellReader(std::string_view text, int nesting) : text_(text), nesting_(nesting) {}

  ShellCode run() {
    read_list('\0');
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Reads commands up to the end or to an unmatched `close`.
  void read_list(char close) {
    if (++nesting_ > kDeepestNesting) give_up();
    const int outer_subshells = std::exchange(subshells_, 0);
    const int outer_cases = std::exchange(cases_, 0);
    const bool outer_expects_pattern = std::exchange(expects_pattern_, false);
    std::vector<ShellWord> outer_words = std::exchange(words_, {});
    while (!at_end()) {
      const char c = peek();
      if (is_shell_blank(c)) {
        ++at_;
      } else if (c == '\\' && peek(1) == '\n') {
        at_ += 2;
      } else if (c == '#') {
        skip_line();
      } else if (c == '\n') {
        end_line();
      } else if (c == ')') {
        if (close_bracket(close)) break;
      } else if (c == '<' || c == '>' || (c == '&' && peek(1) == '>')) {
        read_redirection();
      } else if (ends_word(c)) {
        read_operator();
      } else {
        read_word_into_command();
      }
    }
    end_command();
    words_ = std::move(outer_words);
    cases_ = outer_cases;
    expects_pattern_ = outer_expects_pattern;
    subshells_ = outer_subshells;
    --nesting_;
  }

  // Consumes a ')'. True if it ends the current list.
  bool close_bracket(char close) {
    ++at_;
    if (subshells_ > 0) {
      --subshells_;
      end_command();
      render(")");
      return false;
    }
    if (begins_case()) ++cases_;
    if (cases_ > 0) {  // "pattern)" of a case is no command
      words_.clear();
      expects_pattern_ = false;
      return false;
    }
    if (close == ')') return true;
    end_command();
    return false;
  }

  [[nodiscard]] bool begins_case() const {
    for (const ShellWord& word : words_) {
      if (word.quoted) return false;
      if (word.text == "case") return true;
      if (!lists(kTransparentKeywords, word.text)) return false;
    }
    return false;
  }

  void read_operator() {
    const char c = text_[at_++];
    if (c == '|' && (expects_pattern_ || begins_case())) return;  // "one|other)" of a case
    if (c == '(') ++subshells_;
    end_command();
    if (c != '(' && c == peek()) {
      ++at_;
      if (c == ';' && cases_ > 0) expects_pattern_ = true;
      render(std::string{c, c});
    } else {
      if (c == '|' && peek() == '&') ++at_;
      render(std::string{c});
    }
  }

  void end_line() {
    ++at_;
    end_command();
    if (!out_.rendered.empty() && is_letter_or_word_end(out_.rendered.back())) render(";");
    for (const std::string& delimiter : std::exchange(here_documents_, {}))
      skip_here_document(delimiter);
  }

  static bool is_letter_or_word_end(char c) { return c != '|' && c != '&' && c != ';' && c != '('; }

  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }

  void skip_here_document(std::string_view delimiter) {
    while (!at_end()) {
      const std::size_t start = at_;
      skip_line();
      std::string_view line = text_.substr(start, at_ - start);
      if (!at_end()) ++at_;
      while (!line.empty() && line.front() == '\t') line.remove_prefix(1);
      if (line == delimiter) return;
    }
  }

  void read_redirection() {
    std::string mark;
    while (std::string_view("<>&|-").find(peek()) != std::string_view::npos && !at_end() &&
           mark.size() < 3) {
      mark += text_[at_++];
    }
    if (peek() == '(') {  // process substitution
      ++at_;
      read_list(')');
      words_.push_back({std::string(1, kUnknownByte)});
      return;
    }
    while (is_shell_blank(peek())) ++at_;
    if (at_end() || ends_word(peek())) return;
    const ShellWord target = read_word();
    if (mark == "<<" || mark == "<<-") here_documents_.push_back(target.text);
    if (lists(kHarmlessTargets, target.text)) return;
    render(mark);
    render(target.text);
  }

  void read_word_into_command() {
    ShellWord word = read_word();
    const bool is_number =
        !word.quoted && std::all_of(word.text.begin(), word.text.end(), is_digit);
    if (is_number && (peek() == '<' || peek() == '>')) return;  // the 2 of 2>file
    render(word.text);
    words_.push_back(std::move(word));
  }

  ShellWord read_word() {
    ShellWord word;
    while (!at_end() && !ends_word(peek())) {
      const char c = text_[at_++];
      switch (c) {
        case '\\':
          word.quoted = true;
          if (!at_end() && peek() != '\n') word.text += peek();
          ++at_;
          break;
        case '\'':
          word.quoted = true;
          word.text += take_until('\'');
          break;
        case '"':
          word.quoted = true;
          read_double_quoted(word);
          break;
        case '$':
          read_expansion(word);
          break;
        case '`':
          read_backticks(word);
          break;
        default:
          if (c == '=' && !word.quoted && is_name(word.text)) word.assignment = true;
          if (c == '*' || c == '?' || c == '[' || c == '{') word.expands = true;
          word.text += c;
      }
    }
    return word;
  }

  static bool is_name(std::string_view text) {
    if (text.ends_with('+')) text.remove_suffix(1);
    return !text.empty() && starts_shell_name(text.front()) &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return starts_shell_name(c) || is_digit(c); });
  }

  std::string_view take_until(char close) {
    const std::size_t start = std::min(at_, text_.size());
    at_ = text_.find(close, start);
    if (at_ == std::string_view::npos) {
      give_up();
      return text_.substr(start);
    }
    return text_.substr(start, at_++ - start);
  }

  void read_double_quoted(ShellWord& word) {
    while (!at_end() && peek() != '"') {
      const char c = text_[at_++];
      if (c == '\\' && std::string_view("$`\"\\\n").find(peek()) != std::string_view::npos &&
          !at_end()) {
        if (peek() != '\n') word.text += peek();
        ++at_;
      } else if (c == '$') {
        read_expansion(word);
      } else if (c == '`') {
        read_backticks(word);
      } else {
        word.text += c;
      }
    }
    if (at_end()) give_up();
    ++at_;
  }

  // The '$' has been consumed.
  void read_expansion(ShellWord& word) {
    const char c = peek();
    if (c == '\'') {  // $'...': escapes can spell any text
      ++at_;
      word.quoted = true;
      const std::string_view body = take_until('\'');
      word.text += body.find('\\') == std::string_view::npos ? std::string(body)
                                                             : std::string(1, kUnknownByte);
      return;
    }
    if (c == '(') {
      ++at_;
      read_list(')');
    } else if (c == '{') {
      ++at_;
      skip_braces();
    } else if (starts_shell_name(c)) {
      while (starts_shell_name(peek()) || is_digit(peek())) ++at_;
    } else if (is_digit(c) ||
               (c != '\0' && std::string_view("@*#?-$!").find(c) != std::string_view::npos)) {
      ++at_;
    } else {
      word.text += '$';
      return;
    }
    word.text += kUnknownByte;
  }

  // Skips the rest of ${...}. A default value may contain substitutions, and those are read.
  void skip_braces() {
    ShellWord ignored;
    int open = 1;
    while (!at_end() && open > 0) {
      const char c = text_[at_++];
      if (c == '{') ++open;
      if (c == '}') --open;
      if (c == '\\') ++at_;
      if (c == '$' && peek() == '(') read_expansion(ignored);
      if (c == '`') read_backticks(ignored);
    }
    if (open > 0) give_up();
  }

  void read_backticks(ShellWord& word) {
    std::string body;
    while (!at_end() && peek() != '`') {
      if (peek() == '\\' && std::string_view("`\\$").find(peek(1)) != std::string_view::npos) ++at_;
      if (!at_end()) body += text_[at_++];
    }
    if (at_end()) give_up();
    ++at_;
    word.text += kUnknownByte;
    ShellCode inner =
        nesting_ < kDeepestNesting ? ShellReader(body, nesting_ + 1).run() : ShellCode{};
    for (auto& command : inner.commands) out_.commands.push_back(std::move(command));
    render(inner.rendered);
  }

  void end_command() {
    std::vector<ShellWord> words = std::exchange(words_, {});
    std::size_t first = 0;
    while (first < words.size() && is_before_command(words[first])) ++first;
    if (first < words.size() && !words[first].quoted) {
      if (words[first].text == "case") {
        ++cases_;
        expects_pattern_ = true;
      }
      if (lists(kListKeywords, words[first].text)) return;
      if (words[first].text == "function") {
        first += 2;
        while (first < words.size() && is_before_command(words[first])) ++first;
      }
    }
    if (first >= words.size()) return;
    std::vector<std::string> command;
    for (std::size_t i = first; i < words.size(); ++i) command.push_back(std::move(words[i].text));
    if (words[first].expands && command[0] != "[" && command[0] != "[[") command[0] += kUnknownByte;
    out_.commands.push_back(std::move(command));
  }

  bool is_before_command(const ShellWord& word) {
    if (word.assignment || word.text == "-p") return true;  // `time -p`; no command has the name -p
    if (word.quoted || !lists(kTransparentKeywords, word.text)) return false;
    if (word.text == "esac" && cases_ > 0) {
      --cases_;
      expects_pattern_ = false;
    }
    return true;
  }

  void render(std::string_view piece) {
    if (!out_.rendered.empty() && !piece.empty()) out_.rendered += ' ';
    out_.rendered += piece;
  }

  void give_up() {
    out_.balanced = false;
    at_ = text_.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int nesting_;
  int subshells_ = 0;
  int cases_ = 0;
  bool expects_pattern_ = false;  // between "in" or ";;" and the ")" of a case
  std::vector<ShellWord> words_;
  std::vector<std::string> here_documents_;
  ShellCode out_;
};

// True if `text` contains `pattern`. A name at an end of the pattern must be a whole name in the
// text.
bool contains_pattern(std::string_view text, std::string_view pattern) {
  if (pattern.empty()) return false;
  const std::string_view last_word = pattern.substr(pattern.find_last_of(" \t") + 1);
  const bool whole_start = starts_shell_name(pattern.front());
  const bool whole_end = !last_word.empty() && starts_shell_name(last_word.front()) &&
                         starts_shell_name(last_word.back());
  for (std::size_t at = text.find(pattern); at != std::string_view::npos;
       at = text.find(pattern, at + 1)) {
    const std::size_t end = at + pattern.size();
    const bool inside_left = whole_start && at > 0 && starts_shell_name(text[at - 1]);
    const bool inside_right = whole_end && end < text.size() && starts_shell_name(text[end]);
    if (!inside_left && !inside_right) return true;
  }
  return false;
}

}  // namespace

ShellCode read_shell(std::string_view code) { return ShellReader(code, 0).run(); }

bool shell_code_contains(std::string_view code, std::string_view rendered,
                         std::string_view pattern) {
  return contains_pattern(code, pattern) || contains_pattern(rendered, pattern);
}

}  // namespace bawn
