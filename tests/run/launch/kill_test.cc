// bawn is killed at any moment: nothing of the run may outlive it.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "witness.h"

namespace bawn {
namespace {

int deaths_wanted() {
  const char* wish = std::getenv("BAWN_KILLS");
  return wish == nullptr ? 250 : std::atoi(wish);  // as root and as a user that makes 500
}

// Kills a process that runs bawn after a random part of the time that such a run takes to start.
void kill_at(std::chrono::microseconds moment, const Witness& witness, const Policy& policy,
             const std::string& mark) {
  const pid_t child = fork();
  if (child == 0) {
    (void)witness.yard().run(policy, {"ignore-and-sleep", mark});
    _exit(0);
  }
  std::this_thread::sleep_for(moment);
  kill(child, SIGKILL);
}

TEST(KilledBawn, LeavesNothing) {
  const Witness witness;
  const std::string mark = marker();
  inherit_orphans();
  const std::string before = witness.traces();
  const int files = open_descriptors();
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(witness.run().success());
  ASSERT_EQ(witness.found(), "sound");
  const auto whole =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - start);
  std::mt19937 random(static_cast<unsigned>(getpid()));
  std::uniform_int_distribution<long> moment(0, 2 * whole.count());
  for (int i = 0; i < deaths_wanted(); ++i) {
    Policy policy = witness.policy();
    policy.identity.as_pid_1 = i % 2 == 1;
    kill_at(std::chrono::microseconds(moment(random)), witness, policy, mark);
    if (i % 16 == 15) wait_for_descendants();
  }
  wait_for_descendants();  // the keepers and what they kept are ours since bawn died
  expect_nothing_alive(mark);
  EXPECT_EQ(witness.traces(), before);
  EXPECT_EQ(open_descriptors(), files);
}

}  // namespace
}  // namespace bawn
