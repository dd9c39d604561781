#include "validate/program/elf_interpreter.h"

#include <cstdint>

namespace bawn {
namespace {

constexpr std::size_t kMostElfSegments = 512;
constexpr std::size_t kLongestInterpreter = 4096;  // PATH_MAX
constexpr std::uint64_t kInterpreterType = 3;      // PT_INTERP

// Where the fields are in a file of one word size: offset and size in bytes.
struct Member {
  std::size_t at;
  std::size_t size;
};
struct Layout {
  std::size_t header_size;
  Member table;        // e_phoff
  Member entry_size;   // e_phentsize
  Member entry_count;  // e_phnum
  std::size_t segment_size;
  Member segment_offset;  // p_offset
  Member segment_bytes;   // p_filesz
};
constexpr Layout kLayout32 = {52, {28, 4}, {42, 2}, {44, 2}, 32, {4, 4}, {16, 4}};
constexpr Layout kLayout64 = {64, {32, 8}, {54, 2}, {56, 2}, 56, {8, 8}, {32, 8}};
constexpr Member kType = {0, 4};  // p_type

// A number in little-endian order; the caller has checked that it lies in `bytes`.
std::uint64_t number_at(std::string_view bytes, Member member) {
  std::uint64_t value = 0;
  for (std::size_t i = member.size; i-- > 0;)
    value = value << 8 | static_cast<unsigned char>(bytes[member.at + i]);
  return value;
}

// Null for a file that is no ELF file, or has another byte order.
const Layout* layout_of(std::string_view head) {
  constexpr std::string_view kMagic("\177ELF", 4);
  constexpr char kLittleEndian = 1;
  if (!head.starts_with(kMagic) || head.size() < 6 || head[5] != kLittleEndian) return nullptr;
  if (head[4] == 1) return &kLayout32;
  return head[4] == 2 ? &kLayout64 : nullptr;
}

// The end of a range that begins at `start`, or 0 if no file that is read here has it.
std::size_t end_of(std::uint64_t start, std::uint64_t bytes) {
  if (start > kMostElfBytes || bytes > kMostElfBytes - start) return 0;
  return static_cast<std::size_t>(start + bytes);
}

ElfStart read_segment(std::string_view head, const Layout& layout, std::string_view segment) {
  const std::uint64_t offset = number_at(segment, layout.segment_offset);
  const std::uint64_t bytes = number_at(segment, layout.segment_bytes);
  if (bytes < 2 || bytes > kLongestInterpreter) return {};
  const std::size_t end = end_of(offset, bytes);
  if (end > head.size()) return {.interpreter = "", .needs = end};
  const std::string_view path = head.substr(end == 0 ? head.size() : offset, bytes);
  if (!path.starts_with('/') || path.find('\0') != path.size() - 1) return {};
  return {.interpreter = std::string(path.substr(0, path.size() - 1)), .needs = 0};
}

}  // namespace

ElfStart read_elf_start(std::string_view head) {
  const Layout* layout = layout_of(head);
  if (layout == nullptr || head.size() < layout->header_size) return {};
  const std::uint64_t table = number_at(head, layout->table);
  const std::uint64_t count = number_at(head, layout->entry_count);
  if (number_at(head, layout->entry_size) != layout->segment_size || count > kMostElfSegments)
    return {};
  const std::size_t end = end_of(table, count * layout->segment_size);
  if (end > head.size()) return {.interpreter = "", .needs = end};
  if (end == 0) return {};
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view segment = head.substr(
        static_cast<std::size_t>(table) + i * layout->segment_size, layout->segment_size);
    if (number_at(segment, kType) == kInterpreterType) return read_segment(head, *layout, segment);
  }
  return {};
}

}  // namespace bawn
