// The body of a private key without its first line, as `tail key.pem` and a search with context
// show it. Only the END behind it tells what it was, so lines that could be one are held back until
// the next is there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bawn::redaction {

class KeyTail {
 public:
  // Of a longer body only this much, from its end on, is removed.
  static constexpr std::size_t kLongest = 8 * 1024;

  [[nodiscard]] std::size_t held() const { return held_.size(); }

  // From here on all that may be shown as far as everything else goes is appended to `out`, behind
  // what was held back.
  void show_in(std::string& out);
  // The END of a private key follows. True if `marker` now stands for the body before it.
  bool replace_body(std::string& out, std::string_view marker) const;
  // Takes from the end of `out` what may be a body if the stream goes on.
  void hold_back(std::string& out);

 private:
  [[nodiscard]] std::string_view near_end(std::string_view out) const;

  std::string held_;
  std::size_t begin_ = 0;  // of what was appended to the output
};

}  // namespace bawn::redaction
