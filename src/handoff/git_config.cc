#include "handoff/git_config.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace bawn::handoff {
namespace {

constexpr char kEnd = '\0';

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_name_character(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

class GitConfigReader {
 public:
  explicit GitConfigReader(std::string_view text) : text_(text) {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text_.starts_with(kByteOrderMark)) text_.remove_prefix(kByteOrderMark.size());
  }

  GitConfig run() && {
    while (at_ < text_.size()) {
      if (found_.settings.size() >= kMostGitSettings) {
        found_.complete = false;
        break;
      }
      if (!read_item()) skip_malformed_line();
    }
    return std::move(found_);
  }

 private:
  // A NUL byte is an ordinary character of a value, so the end needs a look at the position.
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char next() const { return at_end() ? kEnd : text_[at_]; }
  char take() { return at_end() ? kEnd : text_[at_++]; }
  // What is not taken is read again, so that a line end always ends a malformed line.
  bool take_if(char wanted) {
    if (at_end() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }

  void skip_blanks() {
    while (is_blank(next())) ++at_;
  }
  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
  void skip_malformed_line() {
    found_.complete = false;
    skip_line();
  }

  // A header, a setting, a comment or an empty line. False if git would refuse it.
  bool read_item() {
    const char c = next();
    if (c == '\n' || is_blank(c)) {
      ++at_;
      return true;
    }
    if (c == '#' || c == ';') {
      skip_line();
      return true;
    }
    if (c == '[') return read_header();
    return is_letter(c) && read_setting();
  }

  bool read_header() {
    ++at_;
    std::string name;
    while (is_name_character(next()) || next() == '.') name += take();
    const std::size_t point = name.find('.');
    section_ = ascii_lower(std::string_view(name).substr(0, point));
    // The old form [section.subsection], in which case does not matter.
    subsection_ = point == std::string::npos ? "" : ascii_lower(name.substr(point + 1));
    if (is_blank(next()) && !read_subsection()) return false;
    return take_if(']') && !section_.empty();
  }

  bool read_subsection() {
    skip_blanks();
    if (!take_if('"')) return false;
    std::string name;
    for (;;) {
      if (at_end() || next() == '\n') return false;
      char c = take();
      if (c == '"') break;
      if (c == '\\') {
        if (at_end() || next() == '\n') return false;
        c = take();
      }
      name += c;
    }
    subsection_ = subsection_.empty() ? name : concat(subsection_, ".", name);
    return true;
  }

  bool read_setting() {
    if (section_.empty()) return false;
    std::string name;
    while (is_name_character(next())) name += take();
    while (next() == ' ' || next() == '\t') ++at_;
    std::string value = "true";
    if (next() == '=') {
      ++at_;
      value.clear();
      if (!read_value(value)) return false;
    } else if (next() == '\r') {
      ++at_;
    }
    if (!at_end() && next() != '\n') return false;
    found_.settings.push_back({section_, subsection_, ascii_lower(name), std::move(value)});
    return true;
  }

  // Blanks at both ends do not count unless they are quoted.
  bool read_value(std::string& value) {
    std::size_t kept = 0;
    bool is_quoted = false;
    skip_blanks();
    for (;;) {
      if (at_end() || next() == '\n') break;
      char c = take();
      if (c == '\r' && (at_end() || next() == '\n')) continue;
      if (!is_quoted && (c == '#' || c == ';')) {
        skip_line();
        break;
      }
      if (c == '"') {
        is_quoted = !is_quoted;
        kept = value.size();
        continue;
      }
      const bool is_escaped = c == '\\';
      if (is_escaped && ends_line()) continue;
      if (is_escaped && !unescape(c)) return false;
      value += c;
      if (is_quoted || is_escaped || !is_blank(c)) kept = value.size();
    }
    value.resize(kept);
    return !is_quoted;
  }

  // True, and the line end is taken, if a backslash was the last character of its line.
  bool ends_line() {
    if (text_.substr(at_).starts_with("\r\n")) ++at_;
    if (next() != '\n' || at_end()) return false;
    ++at_;
    return true;
  }

  bool unescape(char& c) {
    constexpr std::pair<char, char> kEscapes[] = {
        {'n', '\n'}, {'t', '\t'}, {'b', '\b'}, {'\\', '\\'}, {'"', '"'}};
    const auto* found = std::ranges::find(kEscapes, take(), &std::pair<char, char>::first);
    if (found == std::end(kEscapes)) return false;
    c = found->second;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string section_;
  std::string subsection_;
  GitConfig found_;
};

}  // namespace

GitConfig read_git_config(std::string_view text) { return GitConfigReader(text).run(); }

std::string key_of(const GitSetting& setting) {
  if (setting.subsection.empty()) return concat(setting.section, ".", setting.name);
  return concat(setting.section, ".", setting.subsection, ".", setting.name);
}

}  // namespace bawn::handoff
