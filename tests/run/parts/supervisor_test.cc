// The supervisor on values: a tree that only counts what it is told.

#include "run/supervisor.h"

#include <gtest/gtest.h>

#include <thread>

namespace bawn {
namespace {

class Tree final : public ProcessControl {
 public:
  bool terminate() override {
    ++terminated;
    return has_terminate;
  }
  Killed kill() override {
    ++killed;
    return answer;
  }
  std::optional<std::uint64_t> cpu_time_us() override {
    ++asked;
    return used_us;
  }

  int terminated = 0;
  int killed = 0;
  int asked = 0;
  bool has_terminate = true;
  Killed answer = Killed::told;
  std::optional<std::uint64_t> used_us{};
};

class SupervisedTree : public testing::Test {
 protected:
  Supervisor supervise(const Limits& limits) { return Supervisor(limits, tree, stopwatch); }

  // Waits for the next deadline and lets the supervisor look at it.
  static void wait_and_look(Supervisor& supervisor) {
    ASSERT_TRUE(supervisor.next());
    const auto moment = *supervisor.next();
    // On Windows a sleep ends up to a millisecond early.
    while (Supervisor::Clock::now() < moment) std::this_thread::sleep_until(moment);
    supervisor.look_at_clock();
  }

  Tree tree;
  Stopwatch stopwatch;
};

TEST_F(SupervisedTree, IsAskedForItsCpuTimeOnlyWhenThatCanBeUsedUp) {
  Supervisor supervisor = supervise({.cpu_time_ms = 1});
  supervisor.started();
  EXPECT_EQ(tree.asked, 0) << "a question wakes init";
  EXPECT_TRUE(supervisor.next());
  wait_and_look(supervisor);
  EXPECT_EQ(tree.asked, 1);
  EXPECT_EQ(supervisor.progress().state, RunState::running) << "the answer comes later";
  supervisor.cpu_time(999);
  EXPECT_EQ(supervisor.progress().state, RunState::running);
  EXPECT_TRUE(supervisor.next()) << "it looks again";
  supervisor.cpu_time(1000);
  EXPECT_EQ(supervisor.progress().ending, Ending::cpu_time);
  EXPECT_EQ(tree.terminated, 1);
}

TEST_F(SupervisedTree, OfARunWithoutLimitsHasNoDeadline) {
  Supervisor supervisor = supervise({});
  supervisor.started();
  EXPECT_FALSE(supervisor.next());
  supervisor.look_at_clock();
  EXPECT_EQ(tree.asked + tree.terminated + tree.killed, 0);
}

TEST_F(SupervisedTree, GetsAGraceAfterTheWallTimeIfTheSystemHasSuchARequest) {
  Supervisor supervisor = supervise({.wall_time_ms = 1});
  supervisor.started();
  wait_and_look(supervisor);
  EXPECT_EQ(supervisor.progress().ending, Ending::wall_time);
  EXPECT_EQ(tree.terminated, 1);
  EXPECT_EQ(tree.killed, 0);
}

TEST_F(SupervisedTree, IsKilledAtOnceIfTheSystemHasNoSuchRequest) {
  tree.has_terminate = false;
  Supervisor supervisor = supervise({.wall_time_ms = 1});
  supervisor.started();
  wait_and_look(supervisor);
  EXPECT_EQ(tree.killed, 1);
}

TEST_F(SupervisedTree, IsKilledAgainWhileSomeOfItLives) {
  tree.answer = ProcessControl::Killed::alive;
  Supervisor supervisor = supervise({});
  supervisor.started();
  supervisor.command_exited();
  EXPECT_EQ(tree.killed, 1);
  wait_and_look(supervisor);
  EXPECT_EQ(tree.killed, 2);
  tree.answer = ProcessControl::Killed::gone;
  wait_and_look(supervisor);
  EXPECT_TRUE(supervisor.progress().tree_gone);
}

}  // namespace
}  // namespace bawn
