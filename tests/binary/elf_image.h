// A 64-bit ELF file in memory, as far as the tests of the shipped binary need it.
//
// parse() checks every offset before it follows it, so a truncated or foreign file is an error and
// never a read past its end. Knows nothing about bawn.
#pragma once

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace bawn {

struct ElfSymbol {
  std::string name;
  bool function = false;
  bool local = false;
  std::string bytes;  // the code or data of the symbol; "" if the file holds none
};

struct ElfImage {
  Elf64_Ehdr header{};
  std::vector<Elf64_Phdr> segments;
  std::vector<Elf64_Dyn> dynamic;
  std::vector<ElfSymbol> symbols;

  // The image, or nothing with the reason in `error`.
  static std::optional<ElfImage> parse(const std::string& file, std::string& error);

  // The first segment of this type; null if there is none.
  [[nodiscard]] const Elf64_Phdr* segment(std::uint32_t type) const;
  [[nodiscard]] std::optional<std::uint64_t> dynamic_value(std::int64_t tag) const;
  [[nodiscard]] const ElfSymbol* symbol(const std::string& name) const;
};

}  // namespace bawn
