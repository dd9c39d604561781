#include "capture/redaction/sequence.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"
#include "base/visible.h"
#include "capture/redaction/characters.h"

namespace bawn::redaction {
namespace {

constexpr char kEscape = '\x1b';
constexpr char kBell = '\a';
// ESC [ and the like, or the same as one C1 control, which also has two bytes in UTF-8.
constexpr std::size_t kIntroducer = 2;
constexpr std::size_t kLongestControl = 64;

constexpr CharSet kParameter("0-?");
constexpr CharSet kIntermediate(" -/");
constexpr CharSet kFinal("@-~");
// Without parameters most small letters are excluded: one would probably be the start of a word
// after a stray introducer.
constexpr CharSet kBareFinal("@-Z`m~");
constexpr CharSet kOfTwo("78=>cDEHMNOZ\\");
constexpr CharSet kOfThree("#%()*+./");
constexpr CharSet kStringIntroducer("]PX^_");
constexpr CharSet kBodyEnd("\n\r\a\x1b\xc2");

Sequence none(std::size_t size = 1) { return {Sequence::Match::none, size, {}}; }
Sequence cut(std::size_t size) { return {Sequence::Match::cut, size, {}}; }
Sequence whole(std::size_t size, std::string_view body = {}) {
  return {Sequence::Match::whole, size, body};
}

// ESC [ 0 ; 31 m
Sequence control_at(std::string_view text) {
  const std::string_view near = text.substr(0, kLongestControl);
  std::size_t at = kIntroducer + run_of(near.substr(kIntroducer), kParameter);
  at += run_of(near.substr(at), kIntermediate);
  if (at == near.size()) return near.size() < kLongestControl ? cut(at) : none();
  const CharSet& finals = at == kIntroducer ? kBareFinal : kFinal;
  return finals.has(near[at]) ? whole(at + 1) : none();
}

// ESC ] 8 ; ; https://x.io BEL
Sequence string_at(std::string_view text, std::size_t seen) {
  const std::string_view near = text.substr(0, kLongestSequence);
  // Starts one byte early: the last byte seen may be the first of a two-byte terminator.
  for (std::size_t at = std::max(kIntroducer + 1, seen) - 1; at < near.size(); ++at) {
    at += run_until(near.substr(at), kBodyEnd);
    if (at == near.size()) break;
    const std::string_view body = near.substr(kIntroducer, at - kIntroducer);
    if (near[at] == kBell) return whole(at + 1, body);
    if (at + 1 == near.size()) break;
    const std::string_view end = near.substr(at, 2);
    if (end == "\x1b\\" || end == "\u009c") return whole(at + 2, body);
    if (near[at] != '\xc2') return none();
  }
  return near.size() < kLongestSequence ? cut(near.size()) : none();
}

Sequence introduced_by(char kind, std::string_view text, std::size_t seen) {
  if (kind == '[') return control_at(text);
  if (kStringIntroducer.has(kind)) return string_at(text, seen);
  return none();
}

Sequence escape_at(std::string_view text, std::size_t seen) {
  if (text.size() < kIntroducer) return cut(text.size());
  if (kOfTwo.has(text[1])) return whole(kIntroducer);
  if (!kOfThree.has(text[1])) return introduced_by(text[1], text, seen);
  return text.size() == kIntroducer ? cut(kIntroducer) : whole(kIntroducer + 1);
}

// True if more bytes could complete the character.
bool is_cut_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  return text.size() < length &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return (c & '\xc0') == '\x80'; });
}

Sequence character_at(std::string_view text, std::size_t seen) {
  const std::size_t length = utf8_sequence_length(text);
  if (length == 0) return is_cut_character(text) ? cut(text.size()) : none();
  const std::uint32_t point = code_point(text.substr(0, length));
  // A C1 control is ESC and a letter in one: 0x9b is ESC [.
  if (point >= 0x80 && point < 0xa0)
    return introduced_by(static_cast<char>(point - 0x40), text, seen);
  return is_unseen(point) ? whole(length) : none(length);
}

}  // namespace

Sequence sequence_at(std::string_view text, std::size_t seen) {
  if (text[0] == kEscape) return escape_at(text, seen);
  return kSequenceStart.has(text[0]) ? character_at(text, seen) : none();
}

}  // namespace bawn::redaction
