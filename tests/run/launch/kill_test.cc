// bawn is killed at any moment: nothing of the run may outlive it.

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <random>
#include <thread>

#include "backend/linux/launch/launch.h"
#include "backend/linux/spawn/init_process.h"
#include "host/probe.h"
#include "observer.h"
#include "plan/root/setup_plan.h"
#include "policy/policy.h"

namespace bawn::linux_ {
namespace {

int deaths_wanted() {
  const char* wish = std::getenv("BAWN_KILLS");
  return wish == nullptr ? 250 : std::atoi(wish);  // 500 in all: once as root, once as a user
}

// Kills a process that runs bawn, after a random part of the time that such a run takes to start.
void kill_at(std::chrono::microseconds moment, const Observer& observer,
             const FixturePolicy& policy, const std::string& mark) {
  const pid_t child = fork();
  if (child == 0) {
    (void)observer.fixture().run(policy, {"ignore-and-sleep", mark});
    _exit(0);
  }
  std::this_thread::sleep_for(moment);
  kill(child, SIGKILL);
}

TEST(KilledBawn, LeavesNothing) {
  const Observer observer;
  const std::string mark = marker();
  inherit_orphans();
  const std::string before = observer.traces();
  const int files = open_descriptors();
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(observer.run().success());
  ASSERT_EQ(observer.found(), "sound");
  const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - start);
  std::mt19937 random(static_cast<unsigned>(getpid()));
  std::uniform_int_distribution<long> moment(0, 2 * whole.count());
  for (int i = 0; i < deaths_wanted(); ++i) {
    FixturePolicy policy = observer.policy();
    policy.identity.as_pid_1 = i % 2 == 1;
    kill_at(std::chrono::microseconds(moment(random)), observer, policy, mark);
    if (i % 16 == 15) wait_for_descendants();
  }
  wait_for_descendants();  // this process is their subreaper since bawn died
  expect_nothing_alive(mark);
  EXPECT_EQ(observer.traces(), before);
  EXPECT_EQ(open_descriptors(), files);
}

// Init waits for its ExecMessage. Its socket stays open, because a copy of its parent holds the
// other end, so no end of file tells init that bawn is gone.
TEST(KilledBawn, LeavesNoInitToItsCopy) {
  inherit_orphans();
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  const Fd news(ends[0]);
  Fd tell(ends[1]);
  const pid_t maker = fork();
  if (maker == 0) {
    const HostFacts host = probe_host();
    Stopwatch stopwatch;
    auto init = InitProcess::start(NamespaceSet::new_netns);
    if (!init) _exit(1);
    const SetupPlan namespaces = plan_setup(fixture_policy(), host);
    if (!map_own_ids(init.value(), namespaces.user) ||
        !send_setup(init.value(), namespaces, host, stopwatch))
      _exit(1);
    if (!init.value().arrive()) _exit(1);
    const Fd handle = init.value().take_handle();
    if (fork() == 0) {
      pollfd end = {.fd = handle.get(), .events = POLLIN, .revents = 0};
      (void)write(tell.get(), "copied,", 7);
      (void)poll(&end, 1, -1);
      (void)write(tell.get(), "gone", 4);
      _exit(0);
    }
    raise(SIGKILL);
  }
  tell.reset();
  wait_for_descendants();
  std::array<char, 64> told{};
  EXPECT_GT(read(news.get(), told.data(), told.size()), 0);
  EXPECT_STREQ(told.data(), "copied,gone");
}

}  // namespace
}  // namespace bawn::linux_
