// The lines between "-----BEGIN ... PRIVATE KEY-----" and its END.
//
// A key in a JSON string has `\n` where a file has the end of a line, so a piece ends at either. A
// block that is cut short (`head -3 key.pem`) ends where the text stops looking like one; a header
// that is only mentioned in a program hides nothing.
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

// A path has as long a run; a key has capitals, small letters and digits.
[[nodiscard]] bool is_convincing(std::string_view run);

class KeyBlock {
 public:
  enum class PieceKind {
    pass,     // show it, the block may still begin
    swallow,  // part of the key from `from` on
    over,     // the block ended before `from`; ordinary text again from there
  };
  struct Piece {
    PieceKind kind = PieceKind::over;
    std::size_t from = 0;
    std::size_t end = 0;   // where the piece ends
    std::size_t next = 0;  // where the next piece starts; the bytes between are the end of the line
  };

  // `text` starts where a piece starts: at most kLookAhead bytes of one line. `open`: the line goes
  // on.
  [[nodiscard]] Piece judge(std::string_view text, bool open);
  // Something of the key has been seen, and a marker stands for it.
  [[nodiscard]] bool began() const { return began_; }

 private:
  bool began_ = false;
  bool saw_short_line_ = false;  // only the last line of a key is short
  bool continues_ = false;       // the piece before was cut in the middle
};

}  // namespace bawn::redaction
