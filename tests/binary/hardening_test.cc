// Reads from the shipped `bawn` itself how it was built. Only this shows that a compiler or linker
// option is set but takes no effect: a library may lack a marking, a linker may drop a flag.
#include <gtest/gtest.h>
#include <pwd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "elf_image.h"

namespace bawn {
namespace {

std::string contents(const char* path) {
  std::ifstream stream(path == nullptr ? "" : path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<const ElfSymbol*> own_functions(const ElfImage& image) {
  std::vector<const ElfSymbol*> out;
  for (const ElfSymbol& symbol : image.symbols) {
    const std::string_view name = symbol.name;
    const bool own =
        name == "main" || name.starts_with("_ZN4bawn") || name.starts_with("_ZNK4bawn");
    if (own && symbol.function && !symbol.bytes.empty()) out.push_back(&symbol);
  }
  return out;
}

// Symbols that show that glibc's look-up of users, groups, hosts or services is linked in.
std::vector<std::string> name_service_symbols(const ElfImage& image) {
  constexpr std::array<std::string_view, 10> kPrefixes = {
      "getaddrinfo", "getgrgid", "getgrnam",  "gethostbyaddr", "gethostbyname",
      "getpwnam",    "getpwuid", "getservby", "initgroups",    "nss_"};
  std::vector<std::string> out;
  for (const ElfSymbol& symbol : image.symbols) {
    std::string_view name = symbol.name;
    name.remove_prefix(std::min(name.find_first_not_of('_'), name.size()));
    if (std::any_of(kPrefixes.begin(), kPrefixes.end(),
                    [&](auto prefix) { return name.starts_with(prefix); })) {
      out.push_back(symbol.name);
    }
  }
  return out;
}

// Looks for a `mov` or `sub` between the stack guard at %fs:0x28 and any register.
bool uses_stack_guard(std::string_view code) {
  constexpr std::string_view kAddress("\x25\x28\x00\x00\x00", 5);
  for (std::size_t at = code.find(kAddress); at != std::string_view::npos;
       at = code.find(kAddress, at + 1)) {
    if (at >= 4 && code[at - 4] == '\x64') return true;
  }
  return false;
}

class ShippedBinary : public testing::Test {
 protected:
  void SetUp() override {
    std::string error;
    const auto parsed = ElfImage::parse(contents(std::getenv("BAWN_BINARY")), error);
    ASSERT_TRUE(parsed) << "the file named by BAWN_BINARY: " << error;
    image_ = *parsed;
    ASSERT_GT(own_functions(image_).size(), 1U)
        << "stripped: no symbol that could be found would be";
  }

  [[nodiscard]] std::uint64_t flags_1() const {
    return image_.dynamic_value(DT_FLAGS_1).value_or(0);
  }

  ElfImage image_;
};

TEST_F(ShippedBinary, IsPositionIndependent) {
  EXPECT_EQ(image_.header.e_type, ET_DYN);
  EXPECT_NE(flags_1() & DF_1_PIE, 0U);
}

TEST_F(ShippedBinary, NeedsNoLoaderAndNoLibrary) {
  EXPECT_EQ(image_.segment(PT_INTERP), nullptr);
  EXPECT_FALSE(image_.dynamic_value(DT_NEEDED));
  EXPECT_FALSE(image_.dynamic_value(DT_RUNPATH));
  EXPECT_FALSE(image_.dynamic_value(DT_RPATH));
}

TEST_F(ShippedBinary, HasItsRelocationsReadOnlyAfterStart) {
  EXPECT_NE(image_.segment(PT_GNU_RELRO), nullptr);
  EXPECT_NE(flags_1() & DF_1_NOW, 0U);
  EXPECT_FALSE(image_.dynamic_value(DT_TEXTREL));
}

TEST_F(ShippedBinary, HasNoMemoryThatIsWritableAndExecutable) {
  const Elf64_Phdr* stack = image_.segment(PT_GNU_STACK);
  ASSERT_NE(stack, nullptr) << "without this header the kernel makes the stack executable";
  for (const Elf64_Phdr& segment : image_.segments) {
    EXPECT_NE(segment.p_flags & (PF_W | PF_X), PF_W | PF_X) << "segment at " << segment.p_vaddr;
  }
}

// The symbol __stack_chk_fail alone proves nothing: a static glibc brings it along.
TEST_F(ShippedBinary, ChecksItsOwnStackFrames) {
  if (image_.header.e_machine != EM_X86_64)
    GTEST_SKIP() << "the stack guard is known for x86-64 only";
  const auto functions = own_functions(image_);
  EXPECT_TRUE(std::any_of(functions.begin(), functions.end(),
                          [](const ElfSymbol* one) { return uses_stack_guard(one->bytes); }));
  EXPECT_NE(image_.symbol("__stack_chk_fail"), nullptr);
}

// The property note that switches CET on holds only what all objects have in common, and Debian's
// static glibc carries no marking. So this looks for the landing pads in bawn's own code instead.
TEST_F(ShippedBinary, HasLandingPadsInItsOwnCode) {
  constexpr std::string_view kEndbr64 = "\xf3\x0f\x1e\xfa";
  if (image_.header.e_machine != EM_X86_64) GTEST_SKIP() << "CET is for x86-64 only";
  for (const ElfSymbol* function : own_functions(image_)) {
    if (function->local) continue;  // reached only by direct calls
    EXPECT_TRUE(std::string_view(function->bytes).starts_with(kEndbr64)) << function->name;
  }
}

// A static program that looks up users or hosts through glibc loads shared modules at run time. The
// host's configuration would then choose code that runs inside the launcher. Character conversion
// does the same, but cannot be tested here: libstdc++ refers to iconv_open for locales made by
// name, and bawn makes none.
TEST_F(ShippedBinary, HasNoNameServiceCode) {
  EXPECT_EQ(name_service_symbols(image_), std::vector<std::string>{});
}

// The positive control: this test program is linked as usual and looks up a user.
TEST(OrdinaryBinary, IsToldFromTheShippedOne) {
  ASSERT_NE(getpwuid(0), nullptr);
  std::string error;
  const auto image = ElfImage::parse(contents("/proc/self/exe"), error);
  ASSERT_TRUE(image) << error;
  EXPECT_NE(image->segment(PT_INTERP), nullptr);
  EXPECT_TRUE(image->dynamic_value(DT_NEEDED));
  EXPECT_NE(name_service_symbols(*image), std::vector<std::string>{});
  EXPECT_FALSE(uses_stack_guard("\x90\x90\x90\x90\x90\x90"));
}

TEST(ElfImage, ReportsWhatIsNoElfFile) {
  std::string error;
  EXPECT_FALSE(ElfImage::parse("", error));
  EXPECT_EQ(error, "shorter than an ELF header");
  EXPECT_FALSE(ElfImage::parse(std::string(100, 'x'), error));
  EXPECT_EQ(error, "no ELF magic");
}

TEST(ElfImage, ReportsATruncatedFile) {
  std::string error;
  EXPECT_FALSE(ElfImage::parse(contents("/proc/self/exe").substr(0, 200), error));
  EXPECT_EQ(error, "segment or section table lies outside the file");
}

}  // namespace
}  // namespace bawn
