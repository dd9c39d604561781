#include "elf_image.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace bawn {
namespace {

template <class Item>
std::optional<std::vector<Item>> items_at(std::string_view file, std::uint64_t offset,
                                          std::uint64_t count) {
  if (offset > file.size() || count > (file.size() - offset) / sizeof(Item)) return std::nullopt;
  std::vector<Item> out(count);
  if (count != 0) std::memcpy(out.data(), file.data() + offset, count * sizeof(Item));
  return out;
}

std::string string_at(std::string_view table, std::uint64_t offset) {
  if (offset >= table.size()) return "";
  const std::string_view rest = table.substr(offset);
  return std::string(rest.substr(0, rest.find('\0')));
}

std::string_view bytes_of(std::string_view file, const Elf64_Shdr& section) {
  if (section.sh_type == SHT_NOBITS || section.sh_offset > file.size()) return "";
  return file.substr(section.sh_offset, section.sh_size);
}

std::string_view bytes_of(std::string_view file, const std::vector<Elf64_Shdr>& sections,
                          const Elf64_Sym& raw) {
  if (raw.st_shndx >= sections.size()) return "";
  const Elf64_Shdr& section = sections[raw.st_shndx];
  const std::string_view bytes = bytes_of(file, section);
  const std::uint64_t offset = raw.st_value - section.sh_addr;
  return offset < bytes.size() ? bytes.substr(offset, raw.st_size) : "";
}

std::vector<ElfSymbol> symbols_of(std::string_view file, const std::vector<Elf64_Shdr>& sections) {
  std::vector<ElfSymbol> out;
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) continue;
    if (section.sh_link >= sections.size()) continue;
    const std::string_view names = bytes_of(file, sections[section.sh_link]);
    const auto raw_symbols =
        items_at<Elf64_Sym>(file, section.sh_offset, section.sh_size / sizeof(Elf64_Sym));
    if (!raw_symbols) continue;
    for (const Elf64_Sym& raw : *raw_symbols) {
      out.push_back({.name = string_at(names, raw.st_name),
                     .function = ELF64_ST_TYPE(raw.st_info) == STT_FUNC,
                     .local = ELF64_ST_BIND(raw.st_info) == STB_LOCAL,
                     .bytes = std::string(bytes_of(file, sections, raw))});
    }
  }
  return out;
}

}  // namespace

std::optional<ElfImage> ElfImage::parse(const std::string& file, std::string& error) {
  const auto fail = [&error](const char* reason) {
    error = reason;
    return std::nullopt;
  };
  ElfImage image;
  const auto headers = items_at<Elf64_Ehdr>(file, 0, 1);
  if (!headers) return fail("shorter than an ELF header");
  image.header = headers->front();
  if (std::memcmp(image.header.e_ident, ELFMAG, SELFMAG) != 0) return fail("no ELF magic");
  if (image.header.e_ident[EI_CLASS] != ELFCLASS64) return fail("not 64-bit");

  const auto segments = items_at<Elf64_Phdr>(file, image.header.e_phoff, image.header.e_phnum);
  const auto sections = items_at<Elf64_Shdr>(file, image.header.e_shoff, image.header.e_shnum);
  if (!segments || !sections) return fail("segment or section table lies outside the file");
  image.segments = *segments;
  if (const Elf64_Phdr* dynamic = image.segment(PT_DYNAMIC)) {
    const auto entries =
        items_at<Elf64_Dyn>(file, dynamic->p_offset, dynamic->p_filesz / sizeof(Elf64_Dyn));
    if (!entries) return fail("dynamic section lies outside the file");
    image.dynamic = *entries;
  }
  image.symbols = symbols_of(file, *sections);
  return image;
}

const Elf64_Phdr* ElfImage::segment(std::uint32_t type) const {
  const auto found = std::find_if(segments.begin(), segments.end(),
                                  [type](const auto& one) { return one.p_type == type; });
  return found == segments.end() ? nullptr : &*found;
}

std::optional<std::uint64_t> ElfImage::dynamic_value(std::int64_t tag) const {
  for (const Elf64_Dyn& entry : dynamic) {
    if (entry.d_tag == tag) return entry.d_un.d_val;
    if (entry.d_tag == DT_NULL) break;
  }
  return std::nullopt;
}

const ElfSymbol* ElfImage::symbol(const std::string& name) const {
  const auto found = std::find_if(symbols.begin(), symbols.end(),
                                  [&name](const auto& one) { return one.name == name; });
  return found == symbols.end() ? nullptr : &*found;
}

}  // namespace bawn
