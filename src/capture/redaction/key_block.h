// Recognises the lines between "-----BEGIN ... PRIVATE KEY-----" and its END.
//
// A key inside a JSON string has `\n` where a file has a line break, so a piece ends at either. A
// block that is cut short (`head -3 key.pem`) ends where the text no longer looks like a key. A
// header that is only mentioned in source code hides nothing: swallowing starts with the first line
// of key material.
#pragma once

#include <cstddef>
#include <string_view>

namespace bawn::redaction {

// The longest run of base64 digits.
struct Run {
  std::size_t begin = 0;
  std::size_t size = 0;
};
[[nodiscard]] Run longest_run(std::string_view text);

// True if the run has capitals, small letters and digits, as key material has. A file path can be
// as long, but rarely has all three.
[[nodiscard]] bool is_convincing(std::string_view run);

// Reads one block, piece by piece, after the caller has found its header.
class KeyBlock {
 public:
  enum class PieceKind {
    pass,     // show it; key material may still follow
    swallow,  // part of the key from `from` on
    over,     // the block ended before `from`; ordinary text from there
  };
  struct Piece {
    PieceKind kind = PieceKind::over;
    std::size_t from = 0;
    std::size_t end = 0;   // where the piece ends
    std::size_t next = 0;  // where the next piece starts; the bytes between are the line break
  };

  // `text` starts at a piece and holds at most kLookAhead bytes of one line. `open` means that the
  // line goes on after `text`.
  [[nodiscard]] Piece judge(std::string_view text, bool open);
  // Some of the key was swallowed, so the caller has written a marker for it.
  [[nodiscard]] bool began() const { return began_; }

 private:
  bool began_ = false;
  bool saw_short_line_ = false;  // only the last line of a key is short
  bool continues_ = false;       // the previous piece was cut in the middle of a line
};

}  // namespace bawn::redaction
