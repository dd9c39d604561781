// Recognises what a reader of a stream does not see: escape sequences of terminals, and invisible
// characters.
//
// A sequence may be split between chunks; the caller keeps a `cut` one and asks again with more
// bytes. Pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "capture/redaction/characters.h"

namespace bawn::redaction {

struct Sequence {
  enum class Match {
    none,   // the first `size` bytes are ordinary text
    whole,  // the first `size` bytes are a sequence
    cut,    // `text` ends before this can be decided
  };
  Match match = Match::none;
  std::size_t size = 1;
  // The text that a sequence carries: a window title, the address of a link. Empty for most.
  // Borrowed.
  std::string_view body;
};

// A longer sequence counts as text.
inline constexpr std::size_t kLongestSequence = 2048;
// `text` must not be empty. `seen` is the number of bytes for which an earlier call returned `cut`;
// they are not searched again.
[[nodiscard]] Sequence sequence_at(std::string_view text, std::size_t seen = 0);

// The bytes that may start a sequence: ESC, and the UTF-8 lead bytes of invisible characters and of
// C1 controls.
inline constexpr CharSet kSequenceStart("\x1b\xc2\xcd\xd8\xe1\xe2\xe3\xef\xf0\xf1\xf2\xf3\xf4");

}  // namespace bawn::redaction
