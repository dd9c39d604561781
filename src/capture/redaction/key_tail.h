// Removes the body of a private key whose first line is missing, as in the output of `tail key.pem`
// or `grep -C`.
//
// Only the END line proves that the lines before it were a key. So lines that could be a body are
// held back until the next line is known. It works on the output of the other rules. Not thread
// safe.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bawn::redaction {

class KeyTail {
 public:
  // Of a longer body, only the last kLongest bytes are removed. This bounds what is held back.
  static constexpr std::size_t kLongest = 8 * 1024;

  [[nodiscard]] std::size_t held() const { return held_.size(); }

  // Appends what was held back to `out`, and marks the position from which the other two calls
  // work.
  void show_in(std::string& out);
  // The END of a private key follows. Replaces the body at the end of `out` with `marker`; false if
  // there is no body.
  bool replace_body(std::string& out, std::string_view marker) const;
  // Moves from the end of `out` into held_ what may turn out to be a body.
  void hold_back(std::string& out);

 private:
  [[nodiscard]] std::string_view near_end(std::string_view out) const;

  std::string held_;
  std::size_t begin_ = 0;  // the size of the output when show_in() was called
};

}  // namespace bawn::redaction
