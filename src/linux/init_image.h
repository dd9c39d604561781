// The init program itself, carried inside the library so that it works in any host program without
// a file on disk.
#pragma once

#include <span>

// Its first byte, and the one behind its last: defined by the assembler, and at hand without any
// relocation.
extern "C" [[gnu::visibility(
    "hidden")]] const unsigned char bawn_init_begin[];  // NOLINT(readability-identifier-naming)
extern "C" [[gnu::visibility(
    "hidden")]] const unsigned char bawn_init_end[];  // NOLINT(readability-identifier-naming)

namespace bawn {

[[nodiscard]] std::span<const unsigned char> init_image();

}  // namespace bawn
