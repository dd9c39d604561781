#include "run/unix_limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>

namespace bawn {
namespace {

TEST(UnixLimits, AreTheKernelsAndHaveItsNames) {
  struct Row {
    ProcessLimit limit;
    int resource;
    std::string_view name;
  };
  for (const auto& [limit, resource, name] : std::initializer_list<Row>{
           {ProcessLimit::cpu_seconds, RLIMIT_CPU, "RLIMIT_CPU"},
           {ProcessLimit::memory_data, RLIMIT_DATA, "RLIMIT_DATA"},
           {ProcessLimit::processes, RLIMIT_NPROC, "RLIMIT_NPROC"},
           {ProcessLimit::open_files, RLIMIT_NOFILE, "RLIMIT_NOFILE"},
           {ProcessLimit::file_bytes, RLIMIT_FSIZE, "RLIMIT_FSIZE"},
           {ProcessLimit::core_bytes, RLIMIT_CORE, "RLIMIT_CORE"},
       }) {
    EXPECT_EQ(rlimit_resource(limit), resource) << name;
    EXPECT_EQ(rlimit_name(limit), name);
  }
}

TEST(UnixLimits, AreToldAsTheKernelHasThemAndNotAsPlanned) {
  Plan plan;
  plan.process_limits = {{ProcessLimit::core_bytes, 0}, {ProcessLimit::open_files, 64}};
  constexpr std::array<std::uint64_t, 3> kTold{0, 32, 7};
  EXPECT_EQ(rlimit_as_set(plan, kTold, ProcessLimit::open_files), "RLIMIT_NOFILE=32");
  EXPECT_EQ(rlimit_as_set(plan, kTold, ProcessLimit::core_bytes), "RLIMIT_CORE=0");
}

TEST(UnixLimits, ThatNobodyPlannedOrTheKernelDidNotTellAreNone) {
  Plan plan;
  plan.process_limits = {{ProcessLimit::core_bytes, 0}, {ProcessLimit::open_files, 64}};
  constexpr std::array<std::uint64_t, 1> kTold{0};
  EXPECT_EQ(rlimit_as_set(plan, kTold, ProcessLimit::cpu_seconds), "none");
  EXPECT_EQ(rlimit_as_set(plan, kTold, ProcessLimit::open_files), "none");
  EXPECT_EQ(rlimit_as_set(plan, {}, ProcessLimit::core_bytes), "none");
}

}  // namespace
}  // namespace bawn
