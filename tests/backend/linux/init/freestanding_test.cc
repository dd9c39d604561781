// Init is a program without a loader and without a library. These tests check that in its bytes.

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "backend/linux/launch/launch_steps.h"
#include "backend/linux/spawn/init_image.h"
#include "backend/linux/wire/messages.h"

namespace bawn::linux_ {
namespace {

std::string init_bytes() {
  return {reinterpret_cast<const char*>(init_image().data()), init_image().size()};
}

class Freestanding : public testing::Test {
 protected:
  template <class T>
  [[nodiscard]] T at(std::size_t offset) const {
    T out{};
    if (offset + sizeof out > bytes_.size()) {
      ADD_FAILURE() << "the image ends before " << offset;
      return out;
    }
    std::memcpy(&out, bytes_.data() + offset, sizeof out);
    return out;
  }

  [[nodiscard]] std::vector<Elf64_Phdr> segments() const {
    const auto header = at<Elf64_Ehdr>(0);
    std::vector<Elf64_Phdr> out;
    for (std::size_t i = 0; i < header.e_phnum; ++i)
      out.push_back(at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr)));
    return out;
  }

 private:
  std::string bytes_ = init_bytes();
};

TEST_F(Freestanding, IsPositionIndependentWithoutALoader) {
  EXPECT_EQ(std::memcmp(at<Elf64_Ehdr>(0).e_ident, ELFMAG, SELFMAG), 0);
  EXPECT_EQ(at<Elf64_Ehdr>(0).e_type, ET_DYN);
  for (const Elf64_Phdr& segment : segments()) EXPECT_NE(segment.p_type, PT_INTERP);
}

TEST_F(Freestanding, HasNoSegmentThatIsWritableAndExecutable) {
  for (const Elf64_Phdr& segment : segments())
    EXPECT_NE(segment.p_flags & (PF_W | PF_X), PF_W | PF_X);
}

// No loader would apply relocations to init.
TEST_F(Freestanding, NeedsNoRelocationAndNoLibrary) {
  for (const Elf64_Phdr& segment : segments()) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::size_t i = 0; i < segment.p_filesz / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
      EXPECT_NE(entry.d_tag, DT_NEEDED);
      EXPECT_NE(entry.d_tag, DT_JMPREL);
      EXPECT_NE(entry.d_tag, DT_INIT_ARRAY);
      if (entry.d_tag == DT_RELASZ) {
        EXPECT_EQ(entry.d_un.d_val, 0U);
      }
    }
  }
}

TEST(InitImage, StaysSmall) { EXPECT_LT(init_image().size(), 64U * 1024); }

TEST(LaunchSteps, HaveEachANameAndADescriptionOfTheirOwn) {
  std::set<std::string_view> names;
  std::set<std::string_view> whats;
  constexpr auto kCount = static_cast<std::uint32_t>(init::Step::count);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    const StepDescription& description = describe_step(static_cast<init::Step>(i));
    EXPECT_FALSE(description.name.empty() || description.what.empty()) << i;
    EXPECT_TRUE(names.insert(description.name).second) << description.name;
    EXPECT_TRUE(whats.insert(description.what).second) << description.what;
  }
  EXPECT_GT(kCount, 40U);
}

// A few by hand: the name in an outcome is the step that failed.
TEST(LaunchSteps, HaveTheDescriptionOfTheirOwnName) {
  EXPECT_EQ(describe_step(init::Step::none).name, "none");
  EXPECT_EQ(describe_step(init::Step::no_new_privs).name, "no_new_privs");
  EXPECT_EQ(describe_step(init::Step::no_new_privs).what, "set no_new_privs");
  EXPECT_EQ(describe_step(init::Step::seccomp).what, "install the seccomp filter");
  EXPECT_EQ(describe_step(init::Step::drop_init).name, "drop_init");
  EXPECT_EQ(describe_step(init::Step::count).name, "none") << "a number that is no step";
}

// The descriptions are bawn's; init needs only the numbers.
TEST(InitImage, HasNoDescriptionOfAStep) {
  for (std::uint32_t i = 1; i < static_cast<std::uint32_t>(init::Step::count); ++i) {
    const StepDescription& description = describe_step(static_cast<init::Step>(i));
    EXPECT_EQ(init_bytes().find(description.what), std::string::npos) << description.what;
  }
}

}  // namespace
}  // namespace bawn::linux_
