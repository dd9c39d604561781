// Directories of plain files take the place of cgroups. The kernel's file formats are known, so
// both versions can be tested anywhere.

#include "backend/linux/cgroup/outer_memory.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace bawn::linux_ {
namespace {

class OuterMemoryTest : public testing::Test {
 protected:
  OuterMemoryTest() {
    std::string pattern = std::filesystem::temp_directory_path() / "bawn-outer-XXXXXX";
    mount_ = mkdtemp(pattern.data());
    view_.mount = mount_;
    view_.own_cgroups = mount_ + "/self";
  }
  ~OuterMemoryTest() override { std::filesystem::remove_all(mount_); }

  void write(const std::string& file, const std::string& text) const {
    const std::filesystem::path path = mount_ + "/" + file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  [[nodiscard]] OuterMemory read() const { return read_outer_memory(view_, plan_); }

  std::string mount_;
  CgroupView view_;
  std::optional<CgroupPlan> plan_;
};

TEST_F(OuterMemoryTest, OfVersion2IsNamedByTheLimitThatWasMetAround) {
  write("self", "0::/job/step\n");
  write("job/step/memory.events.local", "oom 0\noom_kill 3\n");
  write("job/memory.events.local", "oom 5\noom_kill 0\n");
  write("job/memory.max", "536870912\n");
  const OuterMemory before = read();
  ASSERT_EQ(before.limited.size(), 1U);
  EXPECT_EQ(find_outer_kill(before, read(), {}), std::nullopt) << "nothing rose";
  write("job/memory.events.local", "oom 6\noom_kill 0\n");
  EXPECT_EQ(find_outer_kill(before, read(), {}), std::nullopt)
      << "met, but nothing of ours was killed";
  write("job/step/memory.events.local", "oom 0\noom_kill 4\n");
  const auto kill = find_outer_kill(before, read(), {});
  ASSERT_TRUE(kill);
  EXPECT_EQ(kill->kills, 1U);
  EXPECT_EQ(kill->directory, mount_ + "/job");
  EXPECT_EQ(kill->memory_bytes, 536870912U);
}

TEST_F(OuterMemoryTest, OfAnOldKernelIsReadFromTheSumAndOneWithoutLimitIsNotToBlame) {
  write("self", "0::/\n");
  write("memory.events", "oom 1\noom_kill 1\n");
  write("memory.max", "max\n");
  const OuterMemory unlimited = read();
  write("memory.events", "oom 2\noom_kill 3\n");
  const auto kill = find_outer_kill(unlimited, read(), {});
  ASSERT_TRUE(kill);
  EXPECT_EQ(kill->kills, 2U);
  EXPECT_EQ(kill->directory, "");
  write("memory.max", "4096\n");
  const OuterMemory limited = read();
  write("memory.events", "oom 3\noom_kill 4\n");
  EXPECT_EQ(find_outer_kill(limited, read(), {})->directory, mount_);
}

TEST_F(OuterMemoryTest, OfVersion1CountsTheLimitWithSwapToo) {
  write("self", "4:memory:/docker/7f\n0::/\n");
  // In a container the mount point is the container's cgroup, and the path does not exist below it.
  write("memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 0\n");
  write("memory/memory.failcnt", "7\n");
  write("memory/memory.memsw.failcnt", "0\n");
  write("memory/memory.limit_in_bytes", "1048576\n");
  const OuterMemory before = read();
  ASSERT_EQ(before.limited.size(), 1U);
  write("memory/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
  EXPECT_EQ(find_outer_kill(before, read(), {})->directory, "") << "no limit that is seen was met";
  write("memory/memory.memsw.failcnt", "1\n");
  EXPECT_EQ(find_outer_kill(before, read(), {})->directory, mount_ + "/memory");
  // New kernels do not count this failure, but keep the maximum usage.
  write("memory/memory.memsw.failcnt", "0\n");
  write("memory/memory.memsw.max_usage_in_bytes", "1048576\n");
  write("memory/memory.memsw.limit_in_bytes", "1048576\n");
  const auto kill = find_outer_kill(before, read(), {});
  ASSERT_TRUE(kill);
  EXPECT_EQ(kill->directory, mount_ + "/memory");
  EXPECT_EQ(kill->memory_bytes, 1048576U);
}

// Other processes live in the cgroups around the run. A kill counts only if the run's cgroup
// counted one.
TEST_F(OuterMemoryTest, IsNotToBlameForARunWhoseOwnCgroupHasCountedNoKill) {
  write("self", "0::/other\n");
  write("job/memory.events.local", "oom 0\noom_kill 0\n");
  write("job/memory.max", "4096\n");
  plan_ =
      CgroupPlan{.place = {CgroupVersion::v2, {{mount_ + "/job", {CgroupController::memory}, {}}}},
                 .name = "run",
                 .limits = {}};
  const OuterMemory before = read();
  ASSERT_EQ(before.limited.size(), 1U);
  write("job/memory.events.local", "oom 1\noom_kill 1\n");
  EXPECT_EQ(find_outer_kill(before, read(), 0), std::nullopt);
  const auto kill = find_outer_kill(before, read(), 1);
  ASSERT_TRUE(kill);
  EXPECT_EQ(kill->directory, mount_ + "/job");
}

TEST_F(OuterMemoryTest, ThatCannotBeSeenIsNotMadeUp) {
  for (const char* own : {"0::/../outside\n", "", "nonsense\n"}) {
    write("self", own);
    EXPECT_TRUE(read().limited.empty() && !read().kills) << own;
  }
  EXPECT_EQ(find_outer_kill({}, {}, {}), std::nullopt);
  EXPECT_EQ(find_outer_kill({}, {}, 1)->directory, "");
}

}  // namespace
}  // namespace bawn::linux_
