#include "linux/keeper_image.h"

// The bytes of the keeper executable; the assembler is told where the build put it.
__asm__(
    ".section .rodata.bawn_keeper, \"a\"\n"
    ".balign 16\n"
    ".globl bawn_keeper_begin, bawn_keeper_end\n"
    ".hidden bawn_keeper_begin, bawn_keeper_end\n"
    "bawn_keeper_begin:\n"
    ".incbin \"bawn-keeper\"\n"
    "bawn_keeper_end:\n"
    ".byte 0\n"
    ".text\n");

namespace bawn {

std::span<const unsigned char> keeper_image() { return {bawn_keeper_begin, bawn_keeper_end}; }

}  // namespace bawn
