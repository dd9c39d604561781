#include "capture/redaction/key_tail.h"

#include <algorithm>

#include "capture/redaction/characters.h"
#include "capture/redaction/key_block.h"

namespace bawn::redaction {
namespace {

constexpr std::size_t kFullTailLine = 40;
constexpr std::size_t kMostBehind = 16;  // bytes after the digits of a full line
constexpr std::size_t kLongestShort = 160;
constexpr std::size_t kMostShort = 2;  // the last line of a key, and a checksum

// The start of the last line of `text`: after a line break, or after `\n` or `\r` in an escaped
// string. Looks back kLongestShort bytes at most, the longest that a line with other characters
// than digits may be.
std::size_t start_of_last_line(std::string_view text) {
  const std::size_t furthest = text.size() - std::min(text.size(), kLongestShort);
  for (std::size_t at = text.size(); at > furthest; --at) {
    const char c = text[at - 1];
    if (c == '\n' || ((c == 'n' || c == 'r') && at > 1 && text[at - 2] == '\\')) return at;
  }
  return furthest;
}

// The start of the base64 digits at the end of `text`. The letter of an escaped `\n` is not one of
// them.
std::size_t start_of_run(std::string_view text) {
  std::size_t begin = text.size();
  while (begin > 0 && kBase64.has(text[begin - 1])) --begin;
  const bool escaped = begin > 0 && begin < text.size() && text[begin - 1] == '\\' &&
                       (text[begin] == 'n' || text[begin] == 'r');
  return escaped ? begin + 1 : begin;
}

std::string_view without_break(std::string_view text) {
  if (text.ends_with('\n')) return text.substr(0, text.size() - 1);
  return text.ends_with("\\n") || text.ends_with("\\r") ? text.substr(0, text.size() - 2) : text;
}

// The start of the digits if `text` ends with a full line of a key, else npos.
std::size_t start_of_digits(std::string_view text) {
  constexpr std::size_t kJudged = 256;
  const std::size_t furthest = text.size() - std::min(text.size(), kMostBehind);
  for (std::size_t end = text.size();;) {
    while (end > furthest && !kBase64.has(text[end - 1]) && text[end - 1] != '\n') --end;
    if (end == furthest || text[end - 1] == '\n') return std::string_view::npos;
    const std::size_t begin = start_of_run(text.substr(0, end));
    const std::size_t judged = std::max(begin, end - std::min(end, kJudged));
    if (end - begin >= kFullTailLine)
      return is_convincing(text.substr(judged, end - judged)) ? begin : std::string_view::npos;
    if (begin <= furthest || begin == end) return std::string_view::npos;
    end = begin;
  }
}

bool is_short_line(std::string_view line) {
  while (!line.empty() && kDecoration.has(line.front())) line.remove_prefix(1);
  while (!line.empty() && kDecoration.has(line.back())) line.remove_suffix(1);
  return !line.empty() && line.size() <= kLongestShort && line.find(' ') == std::string_view::npos;
}

struct Body {
  std::size_t begin = std::string_view::npos;  // npos: there is none
  std::size_t end = 0;
};

// The body at the end of `text`. The last line may hold other text before the END.
Body body_at_end(std::string_view text) {
  Body body;
  std::string_view before = text;
  std::size_t shorts = 0;
  for (bool own_line = true;; own_line = false) {
    const std::size_t digits = start_of_digits(before);
    const std::size_t begin = start_of_last_line(before.substr(0, digits));
    if (digits != std::string_view::npos) {
      body.begin = digits;
    } else if (!own_line && (body.begin != std::string_view::npos || ++shorts > kMostShort ||
                             !is_short_line(before.substr(begin)))) {
      return body;
    }
    if (body.end == 0 && (digits != std::string_view::npos || !own_line)) body.end = before.size();
    before = without_break(text.substr(0, begin));
    if (before.size() == begin) return body;
  }
}

}  // namespace

void KeyTail::show_in(std::string& out) {
  begin_ = out.size();
  out.append(held_);
  held_.clear();
}

// The part of the output to which a body at the end may belong.
std::string_view KeyTail::near_end(std::string_view out) const {
  out.remove_prefix(begin_);
  while (out.ends_with('-')) out.remove_suffix(1);
  return out.substr(out.size() - std::min(out.size(), kLongest));
}

bool KeyTail::replace_body(std::string& out, std::string_view marker) const {
  const std::string_view near = near_end(out);
  const Body body = body_at_end(near);
  if (body.begin == std::string_view::npos) return false;
  const auto before = static_cast<std::size_t>(near.data() - out.data());
  out.replace(before + body.begin, body.end - body.begin, marker);
  return true;
}

void KeyTail::hold_back(std::string& out) {
  const std::string_view near = near_end(out);
  const auto before = static_cast<std::size_t>(near.data() - out.data());
  const std::size_t kept = before + std::min(body_at_end(near).begin, start_of_run(near));
  held_.assign(out, kept);
  out.resize(kept);
}

}  // namespace bawn::redaction
