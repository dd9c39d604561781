// A captured stream as it goes into a record: text that is safe to print, or base64.
//
// Text is valid UTF-8, so the record stays valid JSON, and holds nothing that a terminal obeys or that turns
// the direction of writing: such characters are shown as `\x1b` or `\u202e`. Tab, newline and the carriage
// return before a newline stay. The escaping is for people to read and is not meant to be undone (a
// backslash of the text itself stays as it is); who needs the bytes asks for them before this step.
#pragma once

#include <string>
#include <string_view>

namespace bawn {

struct RecordText {
  std::string data;
  bool base64 = false;
  bool operator==(const RecordText&) const = default;
};

// `whole` or not: a stream that was cut may end in the middle of a character, which is then dropped.
enum class StreamEnd { whole, cut };

// Bytes that are not UTF-8 become base64 as a whole. `captured` has been redacted before.
[[nodiscard]] RecordText make_record(std::string_view captured, StreamEnd end);

}  // namespace bawn
