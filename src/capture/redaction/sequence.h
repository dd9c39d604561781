// What stands in a stream without being read there: escape sequences of terminals, and characters
// that are not seen.
#pragma once

#include <cstddef>
#include <string_view>

#include "capture/redaction/characters.h"

namespace bawn::redaction {

struct Sequence {
  enum class Match {
    none,   // the first `size` bytes are ordinary text
    whole,  // the first `size` bytes are a sequence
    cut,    // `text` ends before that can be told
  };
  Match match = Match::none;
  std::size_t size = 1;
  // Text that a sequence carries: the title of a window, the address of a link. Empty for most.
  std::string_view body;
};

// `text` is not empty; its first `seen` bytes were asked about before and were cut. A sequence has
// at most kLongestSequence bytes: what is longer is text.
inline constexpr std::size_t kLongestSequence = 2048;
[[nodiscard]] Sequence sequence_at(std::string_view text, std::size_t seen = 0);

// A byte that may start a sequence: the escape byte, and above 0x7f the first bytes of characters
// that are not seen and of C1 controls.
inline constexpr CharSet kSequenceStart("\x1b\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf0\xf1\xf2\xf3\xf4");

}  // namespace bawn::redaction
