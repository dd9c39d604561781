#include "capture/record.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/text.h"

namespace bawn {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Shown as a number: a terminal obeys them, or text reads other than it is.
constexpr std::array kNeutralised{
    Range{0x00, 0x08},      // bell, backspace ...
    Range{0x0b, 0x0c},      // vertical tab, form feed
    Range{0x0d, 0x0d},      // carriage return that is not before a newline: overwrites the line
    Range{0x0e, 0x1f},      // escape ...
    Range{0x7f, 0x9f},      // delete and the C1 controls
    Range{0x061c, 0x061c},  // Arabic letter mark
    Range{0x200e, 0x200f},  // left-to-right and right-to-left mark
    Range{0x2028, 0x202e},  // line and paragraph separator, embeddings and overrides
    Range{0x2066, 0x2069},  // isolates
};

std::uint32_t code_point(std::string_view sequence) {
  constexpr std::array<std::uint32_t, 5> kLeadBits{0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t out = static_cast<unsigned char>(sequence[0]) & kLeadBits[sequence.size()];
  for (const char c : sequence.substr(1)) out = out << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return out;
}

bool is_neutralised(std::uint32_t point) {
  return std::any_of(kNeutralised.begin(), kNeutralised.end(),
                     [&](const Range& range) { return range.first <= point && point <= range.last; });
}

void append_escaped(std::string& out, std::uint32_t point) {
  const unsigned digits = point < 0x100 ? 2 : 4;
  out += digits == 2 ? "\\x" : "\\u";
  for (unsigned i = digits; i-- > 0;) out += kHexDigits[point >> (4 * i) & 15];
}

// How many bytes at the end start a character that was cut off: 0 to 3.
std::size_t cut_off_tail(std::string_view text) {
  for (std::size_t back = 1; back <= std::min<std::size_t>(3, text.size()); ++back) {
    const std::string_view tail = text.substr(text.size() - back);
    const auto lead = static_cast<unsigned char>(tail[0]);
    if ((lead & 0xc0) == 0x80) continue;
    if (lead < 0xc2 || utf8_sequence_length(tail) != 0) return 0;
    // It was cut, not malformed, if some continuation completes it.
    for (const std::string_view rest :
         {"\x80", "\x80\x80", "\x80\x80\x80", "\xbf", "\xbf\xbf", "\xbf\xbf\xbf"}) {
      if (utf8_sequence_length(concat(tail, rest)) == back + rest.size()) return back;
    }
    return 0;
  }
  return 0;
}

// Where the first byte is that needs a closer look. Most output is plain from end to end, and the caller waits for this.
std::size_t plain_until(std::string_view text, std::size_t from) {
  const char* const bytes = text.data();
  const std::size_t size = text.size();
  while (from < size &&
         ((bytes[from] >= ' ' && bytes[from] < '\x7f') || bytes[from] == '\n' || bytes[from] == '\t'))
    ++from;
  return from;
}

}  // namespace

RecordText make_record(std::string_view captured, StreamEnd end) {
  const std::string_view text =
      end == StreamEnd::cut ? captured.substr(0, captured.size() - cut_off_tail(captured)) : captured;
  RecordText record;
  record.data.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t plain = plain_until(text, i);
    record.data.append(text, i, plain - i);
    i = plain;
    if (i == text.size()) break;
    const std::size_t length = utf8_sequence_length(text.substr(i));
    if (length == 0) return {base64(captured), true};
    const std::uint32_t point = code_point(text.substr(i, length));
    const bool ends_line = point == '\r' && text.substr(i + 1).starts_with('\n');
    if (is_neutralised(point) && !ends_line) {
      append_escaped(record.data, point);
    } else {
      record.data.append(text, i, length);
    }
    i += length;
  }
  return record;
}

}  // namespace bawn
