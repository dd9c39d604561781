#include "run/unix/limits.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <array>

#include "host/rlimit.h"

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
  EXPECT_EQ(rlimit_evidence(plan, kTold, ProcessLimit::open_files),
            (Evidence{{"rlimit", "RLIMIT_NOFILE"}, {"value", 32}}));
  EXPECT_EQ(rlimit_evidence(plan, kTold, ProcessLimit::core_bytes),
            (Evidence{{"rlimit", "RLIMIT_CORE"}, {"value", 0}}));
}

TEST(UnixLimits, ThatNobodyPlannedOrTheKernelDidNotTellAreNull) {
  Plan plan;
  plan.process_limits = {{ProcessLimit::core_bytes, 0}, {ProcessLimit::open_files, 64}};
  constexpr std::array<std::uint64_t, 1> kTold{0};
  const auto unknown = [](const char* name) {
    return Evidence{{"rlimit", name}, {"value", Limit{}}};
  };
  EXPECT_EQ(rlimit_evidence(plan, kTold, ProcessLimit::cpu_seconds), unknown("RLIMIT_CPU"));
  EXPECT_EQ(rlimit_evidence(plan, kTold, ProcessLimit::open_files), unknown("RLIMIT_NOFILE"));
  EXPECT_EQ(rlimit_evidence(plan, {}, ProcessLimit::core_bytes), unknown("RLIMIT_CORE"));
}

}  // namespace
}  // namespace bawn
