#include "capture/redaction/literal.h"

#include <algorithm>
#include <span>
#include <utility>

#include "base/text.h"
#include "capture/redaction/rule.h"

namespace bawn::redaction {
namespace {

// The base64 digits that depend on `secret` alone, if `before` other bytes (0 to 2) precede it in
// its first group of three.
std::string inner_base64(std::string_view secret, std::size_t before) {
  const std::string digits = base64(std::string(before, '\0').append(secret));
  const std::size_t begin = (before * 8 + 5) / 6;
  const std::size_t end = (before + secret.size()) * 8 / 6;
  return digits.substr(begin, end - begin);
}

std::string url_safe(std::string digits) {
  std::replace(digits.begin(), digits.end(), '+', '-');
  std::replace(digits.begin(), digits.end(), '/', '_');
  return digits;
}

std::string upper(std::string digits) {
  for (char& c : digits) {
    if (is_lower(c)) c = static_cast<char>(c - 'a' + 'A');
  }
  return digits;
}

std::shared_ptr<const LiteralSet> set_of(const std::vector<std::string>& literals) {
  auto set = std::make_shared<LiteralSet>();
  for (const std::string& literal : literals) {
    const std::string text = clear(literal, Breaks::set_aside);
    const bool over_breaks = literal.size() >= kLongLiteral || clear(literal, Breaks::kept) != text;
    set->add(text, over_breaks);
    for (const std::string& spelling : spellings(literal)) set->add(spelling, true);
  }
  set->complete();
  return set;
}

}  // namespace

std::vector<std::string> spellings(std::string_view secret) {
  if (secret.size() < kLongLiteral || secret.size() > LiteralSet::kLongest) return {};
  std::vector<std::string> out{base64(secret)};
  for (const std::size_t before : {0U, 1U, 2U}) out.push_back(inner_base64(secret, before));
  for (std::size_t i = 0; i < 4; ++i) out.push_back(url_safe(out[i]));
  const std::string digits =
      hex(std::span(reinterpret_cast<const unsigned char*>(secret.data()), secret.size()));
  out.push_back(digits);
  out.push_back(upper(digits));
  return out;
}

LiteralFilter::LiteralFilter(const std::vector<std::string>& literals)
    : LiteralFilter(set_of(literals)) {}

LiteralFilter::LiteralFilter(std::shared_ptr<const LiteralSet> set)
    : set_(std::move(set)),
      clear_(Breaks::set_aside, {}, [this](std::string_view body) { return inspect(body); }) {}

std::string LiteralFilter::inspect(std::string_view body) {
  LiteralFilter inner(set_);
  std::string out;
  count_ += inner.feed(body, out);
  count_ += inner.finish(out);
  return out;
}

void LiteralFilter::read() {
  const std::string_view text = clear_.text();
  while (at_ < text.size()) {
    if (state_ == LiteralSet::kStart) at_ = set_->next_start(text, at_);
    if (at_ == text.size()) return;
    state_ = set_->step(state_, text[at_++]);
    note_end();
    state_ = set_->going_on(state_);
  }
}

void LiteralFilter::note_end() {
  const std::size_t size = set_->longest_end(state_, [&](std::size_t length, bool over_breaks) {
    return over_breaks || !clear_.has_break_inside(at_ - length, at_);
  });
  if (size != 0) note({at_ - size, at_});
}

// A quota may have cut the stream here, so the start of a secret at the end counts as the secret.
void LiteralFilter::note_front() {
  const std::size_t size = set_->depth(state_);
  if (size < LiteralSet::kShortest || clear_.has_break_at(at_)) return;
  if (size < kLongLiteral && clear_.has_break_inside(at_ - size, at_)) return;
  note({at_ - size, at_});
}

void LiteralFilter::note(Range range) {
  while (!found_.empty() && found_.back().begin >= range.begin) found_.pop_back();
  found_.push_back(range);
}

// No string that is found later can start before `decided`, so everything up to there is final.
void LiteralFilter::settle(std::size_t decided, std::string& out) {
  std::size_t settled = 0;
  for (; settled < found_.size() && found_[settled].begin < decided; ++settled) {
    const Range& range = found_[settled];
    if (range.begin >= clear_.shown()) {
      clear_.show(range.begin, out);
      out += marker(Kind::literal);
      ++count_;
    }
    clear_.swallow(range.end);
  }
  found_.erase(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(settled));
  if (decided >= clear_.shown()) clear_.show(decided, out);
  const std::size_t done = std::min(clear_.shown(), decided);
  clear_.forget(done);
  at_ -= done;
  for (Range& range : found_) range = {range.begin - done, range.end - done};
}

std::uint64_t LiteralFilter::take_count() { return std::exchange(count_, 0); }

std::uint64_t LiteralFilter::feed(std::string_view chunk, std::string& out) {
  clear_.append(chunk);
  read();
  settle(at_ - set_->depth(state_), out);
  return take_count();
}

std::uint64_t LiteralFilter::finish(std::string& out) {
  clear_.end();
  read();
  note_front();
  settle(clear_.text().size(), out);
  clear_.start_over();
  at_ = 0;
  state_ = LiteralSet::kStart;
  return take_count();
}

}  // namespace bawn::redaction
