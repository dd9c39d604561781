// Removes given strings from a stream.
//
// A string is found even if it is split between chunks, overlaps another one or contains an escape
// sequence. A string of kLongLiteral bytes or more is also found if it is wrapped over lines or
// written in base64 or hexadecimal. Only a tail that may be the start of a string is held back.
// Work is linear in the stream. Not thread safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "capture/redaction/clear_text.h"
#include "capture/redaction/literal_set.h"

namespace bawn::redaction {

// A string of this length hardly occurs by chance. Shorter ones are not searched over lines or in
// other encodings.
inline constexpr std::size_t kLongLiteral = 12;

// The encodings in which `secret` is searched, or none if it is too short or too long. Base64 in
// both alphabets: padded as a whole, and for each of the three offsets inside other data the digits
// that depend on the secret alone. Hexadecimal in both cases.
[[nodiscard]] std::vector<std::string> spellings(std::string_view secret);

class LiteralFilter {
 public:
  // Copies the strings. Strings of fewer than 4 bytes are ignored.
  explicit LiteralFilter(const std::vector<std::string>& literals);
  LiteralFilter(const LiteralFilter&) = delete;
  LiteralFilter& operator=(const LiteralFilter&) = delete;

  [[nodiscard]] bool empty() const { return set_->empty(); }
  // Appends to `out` what is decided and returns how many strings were replaced.
  std::uint64_t feed(std::string_view chunk, std::string& out);
  // Decides the rest. The front of a string at the very end of the stream counts as the string,
  // because a quota may have cut it. Afterwards the filter is ready for another stream.
  std::uint64_t finish(std::string& out);
  [[nodiscard]] std::size_t held() const { return clear_.held(); }

 private:
  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  explicit LiteralFilter(std::shared_ptr<const LiteralSet> set);
  [[nodiscard]] std::string inspect(std::string_view body);
  void read();
  void note_end();
  void note_front();
  void note(Range range);
  void settle(std::size_t decided, std::string& out);
  std::uint64_t take_count();

  std::shared_ptr<const LiteralSet> set_;
  ClearText clear_;
  std::size_t at_ = 0;  // everything before went through the automaton
  LiteralSet::State state_ = LiteralSet::kStart;
  std::vector<Range> found_;  // not settled yet, in order
  std::uint64_t count_ = 0;
};

}  // namespace bawn::redaction
