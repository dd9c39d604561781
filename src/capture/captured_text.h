// A captured stream in the form in which an outcome holds it: text that is safe to print, or
// base64.
//
// Text is valid UTF-8, so the outcome stays valid JSON. It is made visible (base/visible.h):
// nothing in it controls a terminal, changes the writing direction or is invisible. Tab, newline
// and the carriage return before a newline stay. The original bytes cannot be restored from the
// text; take them before this step if you need them.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

struct CapturedText {
  std::string data;
  bool base64 = false;
  bool operator==(const CapturedText&) const = default;
};

// `cut`: the stream may end in the middle of a character. The incomplete character is dropped.
enum class StreamEnd { whole, cut };

// If any byte is not UTF-8, the whole stream becomes base64. `captured` must be redacted already:
// base64 would hide a secret from the redactor.
[[nodiscard]] CapturedText make_captured_text(std::string_view captured, StreamEnd end);

}  // namespace bawn
