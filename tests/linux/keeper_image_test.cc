// The keeper is a program without a loader and without a library; these tests read that from its bytes.

#include "linux/keeper_image.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "linux/keeper/program.h"
#include "linux/launch_steps.h"

namespace bawn {
namespace {

template <class T>
T at(std::size_t offset) {
  T out{};
  std::memcpy(&out, keeper_image().data() + offset, sizeof out);
  return out;
}

std::vector<Elf64_Phdr> segments() {
  const auto header = at<Elf64_Ehdr>(0);
  std::vector<Elf64_Phdr> out;
  for (std::size_t i = 0; i < header.e_phnum; ++i)
    out.push_back(at<Elf64_Phdr>(header.e_phoff + i * sizeof(Elf64_Phdr)));
  return out;
}

TEST(KeeperImage, IsAPositionIndependentProgramWithoutALoader) {
  EXPECT_EQ(std::memcmp(keeper_image().data(), ELFMAG, SELFMAG), 0);
  EXPECT_EQ(at<Elf64_Ehdr>(0).e_type, ET_DYN);
  for (const Elf64_Phdr& segment : segments()) EXPECT_NE(segment.p_type, PT_INTERP);
}

TEST(KeeperImage, HasNoSegmentThatIsWritableAndExecutable) {
  for (const Elf64_Phdr& segment : segments()) EXPECT_NE(segment.p_flags & (PF_W | PF_X), PF_W | PF_X);
}

// Nobody would apply them: there is no loader and no start-up code.
TEST(KeeperImage, NeedsNoRelocationAndNoLibrary) {
  for (const Elf64_Phdr& segment : segments()) {
    if (segment.p_type != PT_DYNAMIC) continue;
    for (std::size_t i = 0; i < segment.p_filesz / sizeof(Elf64_Dyn); ++i) {
      const auto entry = at<Elf64_Dyn>(segment.p_offset + i * sizeof(Elf64_Dyn));
      EXPECT_NE(entry.d_tag, DT_NEEDED);
      EXPECT_NE(entry.d_tag, DT_JMPREL);
      if (entry.d_tag == DT_RELASZ) {
        EXPECT_EQ(entry.d_un.d_val, 0U);
      }
    }
  }
}

TEST(KeeperImage, StaysSmall) { EXPECT_LT(keeper_image().size(), 64U * 1024); }

TEST(LaunchSteps, HaveWordsEachOfItsOwn) {
  for (std::uint32_t i = 0; i + 1 < static_cast<std::uint32_t>(keeper::Step::count); ++i) {
    EXPECT_NE(step_words(static_cast<keeper::Step>(i)).what,
              step_words(static_cast<keeper::Step>(i + 1)).what);
  }
}

}  // namespace
}  // namespace bawn
