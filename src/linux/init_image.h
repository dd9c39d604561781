// The init executable as bytes inside the library, so that it works in any host program and needs
// no file on disk.
//
// The bytes are read-only and live as long as the process. To execute them, use init_image_file.h.
#pragma once

#include <span>

// The first byte, and the one behind the last. The assembler defines them (init_image.cc); their
// addresses need no relocation, so that code before the C library can use them.
extern "C" [[gnu::visibility(
    "hidden")]] const unsigned char bawn_init_begin[];  // NOLINT(readability-identifier-naming)
extern "C" [[gnu::visibility(
    "hidden")]] const unsigned char bawn_init_end[];  // NOLINT(readability-identifier-naming)

namespace bawn {

[[nodiscard]] std::span<const unsigned char> init_image();

}  // namespace bawn
