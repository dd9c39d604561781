#include "validate/program/elf_interpreter.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace bawn {
namespace {

void put(std::string& bytes, std::size_t at, std::size_t size, std::uint64_t value) {
  for (std::size_t i = 0; i < size; ++i) bytes.at(at + i) = static_cast<char>(value >> (8 * i));
}

// A file of 64 bits: the header, one segment of another type, PT_INTERP, and the loader's name.
constexpr std::size_t kSegment = 64 + 56;
constexpr std::size_t kName = kSegment + 56;
std::string elf64(std::string_view loader = "/lib64/ld.so") {
  std::string bytes("\177ELF\2\1", 6);
  bytes.resize(kName);
  put(bytes, 32, 8, 64);
  put(bytes, 54, 2, 56);
  put(bytes, 56, 2, 2);
  put(bytes, 64, 4, 6);
  put(bytes, kSegment, 4, 3);
  put(bytes, kSegment + 8, 8, kName);
  put(bytes, kSegment + 32, 8, loader.size() + 1);
  return bytes + std::string(loader) + '\0';
}

std::string elf32() {
  std::string bytes("\177ELF\1\1", 6);
  bytes.resize(52 + 32);
  put(bytes, 28, 4, 52);
  put(bytes, 42, 2, 32);
  put(bytes, 44, 2, 1);
  put(bytes, 52, 4, 3);
  put(bytes, 52 + 4, 4, 52 + 32);
  put(bytes, 52 + 16, 4, 5);
  return bytes + std::string("/ld2\0", 5);
}

TEST(ElfInterpreter, IsReadFromFilesOfBothSizes) {
  EXPECT_EQ(read_elf_start(elf64()).interpreter, "/lib64/ld.so");
  EXPECT_EQ(read_elf_start(elf64()).needs, 0U);
  EXPECT_EQ(read_elf_start(elf32()).interpreter, "/ld2");
}

TEST(ElfInterpreter, IsMissingInAStaticProgramAndInAnythingElse) {
  std::string no_interpreter = elf64();
  put(no_interpreter, kSegment, 4, 7);
  std::string big_endian = elf64();
  big_endian[5] = 2;
  for (const std::string& file : {no_interpreter, big_endian, std::string("#!/bin/sh\n"),
                                  std::string(), std::string("\177ELF"), elf64().substr(0, 63)}) {
    EXPECT_EQ(read_elf_start(file).interpreter, "");
    EXPECT_EQ(read_elf_start(file).needs, 0U);
  }
}

// The name lies behind what was read first.
TEST(ElfInterpreter, SaysHowMuchOfTheFileItNeeds) {
  const std::string file = elf64();
  const ElfStart table = read_elf_start(file.substr(0, 100));
  EXPECT_EQ(table.interpreter, "");
  EXPECT_EQ(table.needs, kName);
  EXPECT_EQ(read_elf_start(file.substr(0, table.needs)).needs, file.size());
}

// PATH_MAX.
TEST(ElfInterpreter, IsNoLongerThanAPathCanBe) {
  const std::string longest = "/" + std::string(4094, 'x');
  EXPECT_EQ(read_elf_start(elf64(longest)).interpreter, longest);
  EXPECT_EQ(read_elf_start(elf64(longest + "x")).interpreter, "");
}

struct Fault {
  const char* what;
  std::size_t at;
  std::size_t size;
  std::uint64_t value;
};

// No fault may lead to a path, or to a read beyond the bytes (a sanitizer would notice).
TEST(ElfInterpreter, TakesNoMalformedFile) {
  constexpr std::uint64_t kHuge = ~std::uint64_t{0};
  const Fault faults[] = {
      {"a table far away", 32, 8, kHuge},
      {"a table whose end wraps", 32, 8, kHuge - 111},
      {"entries of another size", 54, 2, 32},
      {"too many entries", 56, 2, 65535},
      {"a name far away", kSegment + 8, 8, kHuge},
      {"a name whose end wraps", kSegment + 8, 8, kHuge - 12},
      {"a name that is too long", kSegment + 32, 8, 5000},
      {"a name of every size", kSegment + 32, 8, kHuge},
      {"an empty name", kSegment + 32, 8, 1},
      {"a name without its end", kSegment + 32, 8, 12},
      {"a relative name", kName, 1, 'x'},
      {"a name with a zero inside", kName + 3, 1, 0},
  };
  for (const Fault& fault : faults) {
    std::string file = elf64();
    put(file, fault.at, fault.size, fault.value);
    const ElfStart start = read_elf_start(file);
    EXPECT_EQ(start.interpreter, "") << fault.what;
    EXPECT_LE(start.needs, kMostElfBytes) << fault.what;
  }
}

}  // namespace
}  // namespace bawn
