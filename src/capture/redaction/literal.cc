#include "capture/redaction/literal.h"

#include <algorithm>

#include "capture/redaction/rule.h"

namespace bawn::redaction {

LiteralFilter::LiteralFilter(const std::vector<std::string>& literals) {
  for (const std::string& literal : literals) {
    if (literal.size() >= kShortest) add(literal);
  }
  std::sort(literals_.begin(), literals_.end(),
            [](const auto& a, const auto& b) { return a.size() != b.size() ? a.size() > b.size() : a < b; });
  literals_.erase(std::unique(literals_.begin(), literals_.end()), literals_.end());
}

void LiteralFilter::add(std::string_view literal) {
  while (literal.size() > kLongest) {
    add(literal.substr(0, kLongest));
    // The last piece reaches back rather than being too short to be looked for.
    literal.remove_prefix(std::min(kLongest, literal.size() - kShortest));
  }
  places_[static_cast<unsigned char>(literal[0])] |= kFirst;
  places_[static_cast<unsigned char>(literal[1])] |= kSecond;
  literals_.emplace_back(literal);
}

LiteralFilter::Candidate LiteralFilter::longest_at(std::size_t at, bool final) const {
  const std::string_view rest = std::string_view(held_).substr(at);
  for (const std::string& literal : literals_) {
    if (rest.size() < literal.size()) {
      if (!literal.starts_with(rest)) continue;
      if (!final) return {Match::undecided, 0};
      // The end of the stream may be where a quota cut it: the front of a secret is one.
      if (rest.size() >= kShortest) return {Match::whole, rest.size()};
    } else if (rest.starts_with(literal)) {
      return {Match::whole, literal.size()};
    }
  }
  return {};
}

// The next place where the first two bytes of a literal may stand; the last byte always may.
std::size_t LiteralFilter::next_start(std::size_t at) const {
  constexpr std::size_t kStride = 8;
  const std::string_view text = held_;
  const auto starts = [&](std::size_t i) {
    return places_[static_cast<unsigned char>(text[i])] &
           (places_[static_cast<unsigned char>(text[i + 1])] >> 1) & kFirst;
  };
  for (; at + kStride < text.size(); at += kStride) {
    unsigned any = 0;
    for (std::size_t k = 0; k < kStride; ++k) any |= starts(at + k);
    if (any != 0) break;
  }
  while (at + 1 < text.size() && starts(at) == 0) ++at;
  return at;
}

std::uint64_t LiteralFilter::run(bool final, std::string& out) {
  std::uint64_t count = 0;
  std::size_t at = 0;
  std::size_t shown = covered_;
  for (at = next_start(at); at < held_.size(); at = next_start(at + 1)) {
    const Candidate candidate = longest_at(at, final);
    if (candidate.match == Match::undecided) break;
    if (candidate.match == Match::whole) {
      if (at >= shown) {
        out.append(held_, shown, at - shown);
        out.append("[redacted:").append(name_of(Kind::literal)).append("]");
        ++count;
      }
      shown = std::max(shown, at + candidate.size);
    }
  }
  if (at > shown) {
    out.append(held_, shown, at - shown);
    shown = at;
  }
  held_.erase(0, at);
  covered_ = shown - at;
  return count;
}

std::uint64_t LiteralFilter::feed(std::string_view chunk, std::string& out) {
  held_.append(chunk);
  return run(false, out);
}

std::uint64_t LiteralFilter::finish(std::string& out) {
  const std::uint64_t count = run(true, out);
  held_.clear();
  covered_ = 0;
  return count;
}

}  // namespace bawn::redaction
