#include "capture/redaction/clear_text.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "capture/redaction/characters.h"
#include "capture/redaction/sequence.h"

namespace bawn::redaction {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kHighs = 0x8080808080808080;

constexpr std::uint64_t has_byte(std::uint64_t word, char byte) {
  const std::uint64_t zeroed = word ^ (kOnes * static_cast<unsigned char>(byte));
  return (zeroed - kOnes) & ~zeroed & kHighs;
}

// The length of a prefix, in whole 8-byte words, without ESC, bytes above 0x7f and (with `breaks`)
// line breaks. Up to a few plain bytes more may follow.
std::size_t plain_words(std::string_view text, bool breaks) {
  std::size_t i = 0;
  for (; i + sizeof(std::uint64_t) <= text.size(); i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, sizeof word);
    std::uint64_t special = (word & kHighs) | has_byte(word, '\x1b');
    if (breaks) special |= has_byte(word, '\n') | has_byte(word, '\r');
    if (special != 0) break;
  }
  return i;
}

}  // namespace

ClearText::ClearText(Breaks breaks, std::string_view front, Inspect inspect)
    : breaks_(breaks),
      front_(front),
      inspect_(std::move(inspect)),
      text_(front),
      shown_(front.size()) {}

void ClearText::append(std::string_view chunk) {
  std::string whole;
  if (!open_.empty()) {
    const std::size_t seen = open_.size();
    open_.append(chunk);
    if (sequence_at(open_, seen).match == Sequence::Match::cut) return;
    whole = std::exchange(open_, {});
    chunk = whole;
  }
  while (!chunk.empty()) chunk = take_one(chunk);
}

// Takes one run of plain text and the sequence or break after it, and returns the rest.
std::string_view ClearText::take_one(std::string_view rest) {
  if (in_indent_) rest.remove_prefix(take_indent(rest));
  std::size_t plain = plain_words(rest, breaks_ == Breaks::set_aside);
  while (plain < rest.size() && !kSequenceStart.has(rest[plain]) && !is_break(rest[plain])) ++plain;
  take(rest.substr(0, plain));
  rest.remove_prefix(plain);
  if (rest.empty()) return rest;
  const bool breaks = is_break(rest[0]);
  const Sequence found = breaks ? Sequence{Sequence::Match::whole, 1, {}} : sequence_at(rest);
  if (found.match == Sequence::Match::cut) {
    open_ = rest;
    return {};
  }
  const std::string_view bytes = rest.substr(0, found.size);
  if (found.match == Sequence::Match::none || !set_aside(bytes, found.body, breaks)) take(bytes);
  return rest.substr(found.size);
}

// Blanks at the start of a line are set aside with the break before it.
std::size_t ClearText::take_indent(std::string_view rest) {
  if (breaks_ == Breaks::kept) return 0;
  const std::size_t blanks = run_of(rest, kBlanks);
  return blanks == 0 || set_aside(rest.substr(0, blanks), {}, true) ? blanks : 0;
}

void ClearText::take(std::string_view text) {
  if (text.empty()) return;
  text_.append(text);
  credit_ = std::min(kMostAside, credit_ + text.size());
  in_indent_ = false;
}

bool ClearText::set_aside(std::string_view bytes, std::string_view body, bool is_break) {
  if (bytes.size() > credit_) return false;
  credit_ -= bytes.size();
  const std::size_t begin = aside_bytes_.size();
  aside_bytes_.append(bytes);
  if (!body.empty()) {
    const auto before = static_cast<std::size_t>(body.data() - bytes.data());
    aside_bytes_.replace(begin + before, body.size(), inspect_(body));
  }
  asides_.push_back({text_.size(), aside_bytes_.size() - begin, is_break});
  in_indent_ = in_indent_ || is_break;
  return true;
}

void ClearText::end() {
  const std::string open = std::exchange(open_, {});
  // An incomplete colour sequence contains no text and is set aside. Any other incomplete sequence
  // may contain text.
  const bool control = open.starts_with("\x1b[") || open == "\x1b";
  if (!control || !set_aside(open, {}, false)) take(open);
}

void ClearText::start_over() {
  text_ = front_;
  shown_ = front_.size();
  asides_.clear();
  aside_bytes_.clear();
  first_ = first_byte_ = 0;
  credit_ = kMostAside;
  in_indent_ = true;
}

std::size_t ClearText::first_aside(std::size_t at) const {
  const auto begin = asides_.begin() + static_cast<std::ptrdiff_t>(first_);
  const auto found =
      std::lower_bound(begin, asides_.end(), at,
                       [](const Aside& aside, std::size_t value) { return aside.at < value; });
  return static_cast<std::size_t>(found - asides_.begin());
}

bool ClearText::is_aside(std::size_t at) const {
  const std::size_t i = first_aside(at);
  return i < asides_.size() && asides_[i].at == at;
}

bool ClearText::has_break_inside(std::size_t begin, std::size_t end) const {
  for (std::size_t i = first_aside(begin + 1); i < asides_.size() && asides_[i].at < end; ++i) {
    if (asides_[i].is_break) return true;
  }
  return false;
}

bool ClearText::has_break_at(std::size_t at) const {
  for (std::size_t i = first_aside(at); i < asides_.size() && asides_[i].at == at; ++i) {
    if (asides_[i].is_break) return true;
  }
  return false;
}

void ClearText::show(std::size_t end, std::string& out) {
  for (; first_ < asides_.size() && asides_[first_].at <= end; ++first_) {
    const Aside& aside = asides_[first_];
    out.append(text_, shown_, aside.at - shown_).append(aside_bytes_, first_byte_, aside.size);
    shown_ = aside.at;
    first_byte_ += aside.size;
  }
  if (end > shown_) out.append(text_, shown_, end - shown_);
  shown_ = std::max(shown_, end);
  drop_asides();
}

void ClearText::swallow(std::size_t end) {
  shown_ = std::max(shown_, end);
  for (; first_ < asides_.size() && asides_[first_].at < shown_; ++first_) {
    first_byte_ += asides_[first_].size;
  }
  drop_asides();
}

void ClearText::drop_asides() {
  if (first_ != asides_.size()) return;
  asides_.clear();
  aside_bytes_.clear();
  first_ = first_byte_ = 0;
}

void ClearText::forget(std::size_t count) {
  if (count == 0) return;
  text_.erase(0, count);
  shown_ -= count;
  asides_.erase(asides_.begin(), asides_.begin() + static_cast<std::ptrdiff_t>(first_));
  aside_bytes_.erase(0, first_byte_);
  first_ = first_byte_ = 0;
  for (Aside& aside : asides_) aside.at -= count;
}

std::string clear(std::string_view text, Breaks breaks) {
  ClearText out(breaks, {}, [](std::string_view body) { return std::string(body); });
  out.append(text);
  out.end();
  return std::string(out.text());
}

}  // namespace bawn::redaction
