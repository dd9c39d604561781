// The loader that an ELF program names (PT_INTERP), read as the kernel reads it.
//
// The kernel executes the loader together with the program, so a list of executables needs both.
// Pure. The text comes from a file that is not checked yet: every offset is compared with what is
// there.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace bawn {

// The first read of a program. Most programs name their loader in the first kilobyte; patchelf can
// move the name to the end of a small file.
inline constexpr std::size_t kElfStartBytes = 4096;
inline constexpr std::size_t kMostElfBytes = 1 << 20;

struct ElfStart {
  std::string interpreter;  // "": not an ELF file of this byte order, static, or malformed
  // The start of the file up to here tells the interpreter; 0 if `interpreter` is the answer.
  std::size_t needs = 0;
};

// `head` is the start of the file.
[[nodiscard]] ElfStart read_elf_start(std::string_view head);

}  // namespace bawn
