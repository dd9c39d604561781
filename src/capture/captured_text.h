// A captured stream as it goes into an outcome: text that is safe to print, or base64.
//
// Text is valid UTF-8, so the record stays valid JSON, and is made visible (base/visible.h):
// nothing in it is obeyed by a terminal, turns the direction of writing or stays unseen. Tab,
// newline and the carriage return before a newline stay. Who needs the bytes asks for them before
// this step.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

struct CapturedText {
  std::string data;
  bool base64 = false;
  bool operator==(const CapturedText&) const = default;
};

// `whole` or not: a stream that was cut may end in the middle of a character, which is then
// dropped.
enum class StreamEnd { whole, cut };

// Bytes that are not UTF-8 become base64 as a whole. `captured` has been redacted before.
[[nodiscard]] CapturedText make_captured_text(std::string_view captured, StreamEnd end);

}  // namespace bawn
