#include "backend/linux/spawn/init_image.h"

// The bytes of the init executable. The build passes its directory to the assembler (-I).
__asm__(
    ".section .rodata.bawn_init, \"a\"\n"
    ".balign 16\n"
    ".globl bawn_init_begin, bawn_init_end\n"
    ".hidden bawn_init_begin, bawn_init_end\n"
    "bawn_init_begin:\n"
    ".incbin \"bawn-init\"\n"
    "bawn_init_end:\n"
    ".byte 0\n"
    ".text\n");

// The first byte, and the one behind the last.
extern "C" [[gnu::visibility(
    "hidden")]] const unsigned char bawn_init_begin[];  // NOLINT(readability-identifier-naming)
extern "C" [[gnu::visibility(
    "hidden")]] const unsigned char bawn_init_end[];  // NOLINT(readability-identifier-naming)

namespace bawn::linux_ {

std::span<const unsigned char> init_image() { return {bawn_init_begin, bawn_init_end}; }

}  // namespace bawn::linux_
