#include "base/visible.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/text.h"

namespace bawn {
namespace {

constexpr std::string_view kEscapeDigits = "0123456789abcdef";
constexpr std::uint32_t kZeroWidthJoiner = 0x200d;
constexpr std::uint32_t kTextStyle = 0xfe0e;
constexpr std::uint32_t kPictureStyle = 0xfe0f;

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Sorted. Unicode's default-ignorable characters, and characters without a glyph that separate
// lines or annotate text.
constexpr auto kUnseen = std::to_array<Range>({
    {0x00ad, 0x00ad},    // soft hyphen
    {0x034f, 0x034f},    // combining grapheme joiner
    {0x061c, 0x061c},    // Arabic letter mark
    {0x115f, 0x1160},    // Hangul fillers
    {0x17b4, 0x17b5},    // Khmer inherent vowels
    {0x180b, 0x180f},    // Mongolian variation selectors and vowel separator
    {0x200b, 0x200f},    // zero-width space, joiners, direction marks
    {0x2028, 0x202e},    // line and paragraph separator, embeddings and overrides
    {0x2060, 0x206f},    // word joiner, invisible operators, isolates
    {0x2800, 0x2800},    // Braille blank
    {0x3164, 0x3164},    // Hangul filler
    {0xfdd0, 0xfdef},    // noncharacters
    {0xfe00, 0xfe0f},    // variation selectors
    {0xfeff, 0xfeff},    // byte order mark
    {0xffa0, 0xffa0},    // Hangul filler, half width
    {0xfff0, 0xfffb},    // interlinear annotation
    {0xfffe, 0xffff},    // noncharacters
    {0x13430, 0x13440},  // Egyptian hieroglyph format controls
    {0x16fe4, 0x16fe4},  // Khitan filler
    {0x1bca0, 0x1bca3},  // shorthand format controls
    {0x1d159, 0x1d159},  // musical null notehead
    {0x1d173, 0x1d17a},  // musical format controls
    {0xe0000, 0xe0fff},  // tags, and more variation selectors
});

// Sorted. The characters of which emoji are made.
constexpr auto kPictures = std::to_array<Range>({
    {0x00a9, 0x00a9},
    {0x00ae, 0x00ae},
    {0x203c, 0x203c},
    {0x2049, 0x2049},
    {0x2122, 0x2122},
    {0x2139, 0x2139},
    {0x2194, 0x21aa},
    {0x231a, 0x23ff},
    {0x24c2, 0x24c2},
    {0x25aa, 0x27bf},
    {0x2934, 0x2935},
    {0x2b05, 0x2b55},
    {0x3030, 0x3030},
    {0x303d, 0x303d},
    {0x3297, 0x3299},
    {0x1f000, 0x1faff},
});

bool is_in(std::span<const Range> ranges, std::uint32_t point) {
  const auto behind =
      std::upper_bound(ranges.begin(), ranges.end(), point,
                       [](std::uint32_t value, const Range& range) { return value < range.first; });
  return behind != ranges.begin() && point <= std::prev(behind)->last;
}

bool is_control_point(std::uint32_t point) {
  return point < 0x20 || (point >= 0x7f && point <= 0x9f);
}

// The character that ends right before `at`; 0 if there is none.
std::uint32_t point_before(std::string_view text, std::size_t at) {
  for (std::size_t size = 1; size <= std::min<std::size_t>(4, at); ++size) {
    const std::string_view sequence = text.substr(at - size, size);
    if (utf8_sequence_length(sequence) == size) return code_point(sequence);
  }
  return 0;
}

std::uint32_t point_at(std::string_view text, std::size_t at) {
  const std::size_t length = at < text.size() ? utf8_sequence_length(text.substr(at)) : 0;
  return length == 0 ? 0 : code_point(text.substr(at, length));
}

bool is_picture_before(std::string_view text, std::size_t at) {
  return is_in(kPictures, point_before(text, at));
}

// A keycap emoji: a digit, `#` or `*`, then a style selector and U+20E3.
bool is_keycap(std::string_view text, std::size_t at) {
  constexpr std::string_view kBases = "0123456789#*";
  constexpr std::string_view kRest = "\xef\xb8\x8f\xe2\x83\xa3";
  return at > 0 && kBases.find(text[at - 1]) != std::string_view::npos &&
         text.substr(at).starts_with(kRest);
}

// A style selector after a picture, or a joiner between two pictures.
bool joins_pictures(std::string_view text, std::size_t at, std::uint32_t point) {
  constexpr std::size_t kSize = 3;
  if (point == kTextStyle || point == kPictureStyle)
    return is_picture_before(text, at) || is_keycap(text, at);
  if (point != kZeroWidthJoiner || !is_in(kPictures, point_at(text, at + kSize))) return false;
  const bool styled = point_before(text, at) == kPictureStyle;
  return is_picture_before(text, styled ? at - kSize : at);
}

bool is_layout(std::string_view text, std::size_t at) {
  return text[at] == '\n' || text[at] == '\t' || text.substr(at).starts_with("\r\n");
}

void append_escaped(std::string& out, char letter, std::uint32_t value, unsigned digits) {
  out += '\\';
  out += letter;
  for (unsigned i = digits; i-- > 0;) out += kEscapeDigits[value >> (4 * i) & 15];
}

void append_escaped(std::string& out, std::uint32_t point) {
  if (point < 0x80) return append_escaped(out, 'x', point, 2);
  if (point < 0x10000) return append_escaped(out, 'u', point, 4);
  append_escaped(out, 'U', point, 8);
}

// The position of the first byte that may need escaping. This fast path matters: most text is plain
// ASCII, and a caller waits for it.
std::size_t plain_until(std::string_view text, std::size_t from, Layout layout) {
  const char* const bytes = text.data();
  const std::size_t size = text.size();
  const bool lines = layout == Layout::lines;
  while (from < size && ((bytes[from] >= ' ' && bytes[from] < '\x7f') ||
                         (lines && (bytes[from] == '\n' || bytes[from] == '\t'))))
    ++from;
  return from;
}

enum class Malformed { shown, refused };

std::optional<std::string> made_visible(std::string_view text, Layout layout, Malformed malformed) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t plain = plain_until(text, at, layout);
    out.append(text, at, plain - at);
    if (plain == text.size()) break;
    if (malformed == Malformed::refused && utf8_sequence_length(text.substr(plain)) == 0)
      return std::nullopt;
    at = plain + append_visible(out, text, plain, layout);
  }
  return out;
}

}  // namespace

std::uint32_t code_point(std::string_view sequence) {
  constexpr std::array<std::uint32_t, 5> kLeadBits{0, 0x7f, 0x1f, 0x0f, 0x07};
  std::uint32_t out = static_cast<unsigned char>(sequence[0]) & kLeadBits[sequence.size()];
  for (const char c : sequence.substr(1)) out = out << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return out;
}

bool is_unseen(std::uint32_t point) {
  return is_in(kUnseen, point) || (point > 0xffff && (point & 0xfffe) == 0xfffe);
}

std::size_t append_visible(std::string& out, std::string_view text, std::size_t at, Layout layout) {
  const std::size_t length = utf8_sequence_length(text.substr(at));
  if (length == 0) {
    append_escaped(out, 'x', static_cast<unsigned char>(text[at]), 2);
    return 1;
  }
  const std::uint32_t point = code_point(text.substr(at, length));
  const bool escaped = is_control_point(point)
                           ? layout == Layout::one_line || !is_layout(text, at)
                           : is_unseen(point) && !joins_pictures(text, at, point);
  if (escaped) {
    append_escaped(out, point);
  } else {
    out.append(text, at, length);
  }
  return length;
}

std::string visible(std::string_view text, Layout layout) {
  return *made_visible(text, layout, Malformed::shown);
}

std::optional<std::string> visible_utf8(std::string_view text) {
  return made_visible(text, Layout::lines, Malformed::refused);
}

}  // namespace bawn
