// Processes that a command leaves behind must be gone when the caller has the outcome.

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "policy/limit.h"
#include "setup.h"

namespace bawn::escape {
namespace {

class Leftover : public testing::TestWithParam<const char*> {};

// The verb prints "ok" only after the process that it leaves has reported that it lives. The mark
// is among the arguments of both.
TEST_P(Leftover, IsGoneWithTheRun) {
  const TestSetup setup;
  const std::string mark = marker();
  const Outcome outcome = setup.fixture().run(setup.policy(), {GetParam(), mark});
  EXPECT_EQ(said(outcome), "ok");
  expect_nothing_alive(mark);
}

std::string name_of(const testing::TestParamInfo<const char*>& verb) {
  std::string name = verb.param;
  std::erase(name, '-');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Left, Leftover,
                         testing::Values("leave-sibling", "leave-stopped", "leave-traced",
                                         "leave-waiting-for-vfork", "leave-orphans-of-orphans",
                                         "leave-undumpable", "leave-reviving"),
                         name_of);

// The control for all of the above: without a sandbox and an init the same process stays.
TEST(Leftover, WouldStayWithoutAnInit) {
  const std::string mark = marker();
  EXPECT_EQ(in_another_process([&] {
              execl(guest().c_str(), "guest", "leave-undumpable", mark.c_str(), nullptr);
              return 1;
            }),
            0);
  const std::optional<int> left = process_with_argument(mark);
  ASSERT_TRUE(left.has_value());
  EXPECT_EQ(kill(*left, SIGKILL), 0);
  EXPECT_TRUE(is_gone_soon(mark));
}

// A command that breaks its init, or tries to, still ends at the deadline.
TEST(Deadline, HoldsForACommandThatFightsItsInit) {
  const TestSetup setup;
  const std::string mark = marker();
  FixturePolicy policy = setup.policy();
  policy.limits.wall_time_ms = 300;
  const Outcome outcome = setup.fixture().run(policy, {"take-files-and-spin", mark});
  EXPECT_EQ(outcome.status, Status::timed_out) << outcome_json(outcome);
  expect_nothing_alive(mark);
}

}  // namespace
}  // namespace bawn::escape
