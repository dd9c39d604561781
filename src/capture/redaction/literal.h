// Removes given strings from a stream, also where one is split between chunks, two of them overlap,
// or an escape sequence stands in one; longer ones also where they are wrapped into lines, or
// written in base64 or hexadecimal digits.
//
// Holds back only the tail that may be the start of a string. Work is linear in the stream.
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

// A string of this length is so unlikely by chance that it is looked for over lines and in other
// spellings.
inline constexpr std::size_t kLongLiteral = 12;

// `secret` as base64 spells it inside of other bytes: wherever it starts, all digits that depend on
// it alone. Both alphabets; and the whole of it, padded. In hexadecimal digits: small and large
// letters.
[[nodiscard]] std::vector<std::string> spellings(std::string_view secret);

class LiteralFilter {
 public:
  explicit LiteralFilter(const std::vector<std::string>& literals);
  LiteralFilter(const LiteralFilter&) = delete;
  LiteralFilter& operator=(const LiteralFilter&) = delete;

  [[nodiscard]] bool empty() const { return set_->empty(); }
  // Appends to `out` what is decided and returns how many strings were replaced.
  std::uint64_t feed(std::string_view chunk, std::string& out);
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
