// A command does not inherit what gives its caller priority over other processes: it would take the
// CPU, or be spared by the OOM killer. It does inherit a lower priority.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "fixture.h"

namespace bawn {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

bool score_oom(const char* score) {
  const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  const bool written = write(file, score, std::strlen(score)) > 0;
  close(file);
  return written;
}

// Returns what the command reads about its priority if its caller has changed itself first.
// "unchanged" if the caller could not.
template <class Change>
std::string found_after(const FixturePolicy& policy, const Change& change) {
  const RunFixture fixture;
  const std::string place = fixture.outside() + "/found";
  const int status = in_another_process([&] {
    if (!change()) return 1;
    const std::string found = said(fixture.run(policy, {"print-priority"}));
    const int file = open(place.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    return write(file, found.data(), found.size()) == static_cast<ssize_t>(found.size()) ? 0 : 2;
  });
  if (status != 0) return "unchanged";
  std::string found(64, '\0');
  const int file = open(place.c_str(), O_RDONLY | O_CLOEXEC);
  found.resize(
      static_cast<std::size_t>(std::max<ssize_t>(0, read(file, found.data(), found.size()))));
  close(file);
  return found;
}

TEST(Priority, OfTheCallersSchedulingIsNotInherited) {
  const auto real_time = [] {
    const sched_param first{.sched_priority = 5};
    return sched_setscheduler(0, SCHED_RR, &first) == 0;
  };
  const auto first_at_disks = [] {
    constexpr int kRealTime = 1 << 13;
    return syscall(SYS_ioprio_set, 1, 0, kRealTime) == 0;
  };
  const auto greedy = [] { return setpriority(PRIO_PROCESS, 0, -5) == 0; };
  if (found_after(unconfined_policy(), real_time) == "unchanged")
    GTEST_SKIP() << "only root can run before others";
  EXPECT_THAT(found_after(unconfined_policy(), real_time), HasSubstr("policy 2 ")) << "the control";
  EXPECT_THAT(found_after(fixture_policy(), real_time), HasSubstr("policy 0 "));
  EXPECT_THAT(found_after(unconfined_policy(), greedy), HasSubstr(" nice -5 "));
  EXPECT_THAT(found_after(fixture_policy(), greedy), HasSubstr(" nice 0 "));
  EXPECT_THAT(found_after(unconfined_policy(), first_at_disks), HasSubstr(" disks 1 "));
  EXPECT_THAT(found_after(fixture_policy(), first_at_disks), HasSubstr(" disks 0 "));
}

TEST(Priority, OfTheCallersOomScoreIsNotInherited) {
  const auto spared = [] { return score_oom("-500"); };
  if (found_after(unconfined_policy(), spared) == "unchanged")
    GTEST_SKIP() << "only root with CAP_SYS_RESOURCE can be spared";
  EXPECT_THAT(found_after(unconfined_policy(), spared), HasSubstr(" oom -500")) << "the control";
  EXPECT_THAT(found_after(fixture_policy(), spared), EndsWith(" oom 0"));
}

TEST(Priority, ThatIsLowIsInherited) {
  const auto modest = [] {
    const sched_param none{.sched_priority = 0};
    return score_oom("700") && setpriority(PRIO_PROCESS, 0, 17) == 0 &&
           sched_setscheduler(0, SCHED_BATCH, &none) == 0;
  };
  EXPECT_EQ(found_after(fixture_policy(), modest), "policy 3 nice 17 disks 0 raise 0 0 oom 700");
}

}  // namespace
}  // namespace bawn
