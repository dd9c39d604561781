// A process that bawn does not know hurts init from outside. The outcome comes in time and says so,
// and the command does not survive.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <fstream>
#include <functional>
#include <thread>

#include "fixture.h"
#include "policy/filesystem_policy.h"
#include "policy/limit.h"
#include "policy/policy.h"

namespace bawn {
namespace {

using std::chrono::seconds;
using Clock = std::chrono::steady_clock;
using testing::HasSubstr;

struct Process {
  char state = 0;
  pid_t parent = 0;
};

Process look_at(pid_t number) {
  std::ifstream stat("/proc/" + std::to_string(number) + "/stat");
  std::string skipped;
  Process found;
  stat >> skipped >> skipped >> found.state >> found.parent;
  return found;
}

// Init is the parent of the command. When init sleeps, it has reported the start: until the exec it
// waits in state D.
pid_t init_of(pid_t command) {
  const pid_t init = look_at(command).parent;
  while (init > 1 && look_at(init).state != 'S' && look_at(init).state != 0)
    std::this_thread::yield();
  return init;
}

struct Hurt {
  Outcome outcome;
  pid_t init = 0;
};

// Runs a command that does not end, and runs `deed` once the command and init exist.
Hurt run_and(const std::function<void(pid_t command, pid_t init)>& deed,
             const FixturePolicy& policy, const std::string& mark) {
  const RunFixture fixture;
  Hurt hurt;
  std::atomic<bool> over = false;
  std::thread running([&] {
    hurt.outcome = fixture.run(policy, {"ignore-and-sleep", mark});
    over = true;
  });
  std::optional<int> command;
  while (!command && !over) command = process_with_argument(mark);
  if (command) hurt.init = init_of(*command);
  const bool is_another = hurt.init > 1 && hurt.init != getpid();
  if (is_another) deed(*command, hurt.init);
  running.join();
  EXPECT_TRUE(is_another) << outcome_json(hurt.outcome);
  return hurt;
}

Hurt hurt_by(int signal, const FixturePolicy& policy, const std::string& mark) {
  return run_and([=](pid_t /*command*/, pid_t init) { kill(init, signal); }, policy, mark);
}

// The value of a line in /proc/PID/status, for example "CapEff:".
std::string status_of(pid_t process, const std::string& name) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  for (std::string word, value; status >> word;) {
    if (word == name && status >> value) return value;
  }
  return "none";
}

// Nothing inside of the sandbox tests this: the command is confined by other means, and init is not
// its child.
TEST(Init, HasNoCapabilitiesAndInTierCAFilterOfItsOwn) {
  std::string sets;
  std::string filters;
  const auto look = [&](pid_t command, pid_t init) {
    for (const char* set : {"CapInh:", "CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"})
      sets += status_of(init, set);
    filters = status_of(init, "Seccomp_filters:");
    kill(command, SIGKILL);
  };
  EXPECT_EQ(run_and(look, fixture_policy(), marker()).outcome.signal, SIGKILL);
  if (fixture_tier() == Tier::c) {
    EXPECT_EQ(sets, std::string(5 * 16, '0'));
    EXPECT_EQ(filters, std::to_string(std::stoi(status_of(getpid(), "Seccomp_filters:")) + 1));
  } else {
    EXPECT_EQ(filters, status_of(getpid(), "Seccomp_filters:"))
        << "the control: it is the caller's";
  }
}

// In tier c the pid namespace ends with init. In tier b only PR_SET_PDEATHSIG ends the command.
TEST(HurtInit, ThatIsKilledTakesTheCommandAlong) {
  const std::string mark = marker();
  FixturePolicy policy = fixture_policy();
  policy.filesystem.tmp = Tmp::none;  // in tier b a killed init cannot remove it
  policy.limits.tmp_bytes = {};
  const Outcome outcome = hurt_by(SIGKILL, policy, mark).outcome;
  EXPECT_EQ(outcome.status, Status::failed) << outcome_json(outcome);
  EXPECT_THAT(outcome.error->message, HasSubstr("died unexpectedly"));
  EXPECT_TRUE(is_gone_soon(mark));
  if (fixture_tier() == Tier::b) {
    EXPECT_EQ(layer_state(outcome, "process_tree"), LayerState::absent);
  }
}

TEST(HurtInit, ThatIsStoppedDelaysNoAnswer) {
  const std::string mark = marker();
  FixturePolicy policy = fixture_policy();
  policy.limits.wall_time_ms = 3000;
  const auto begun = Clock::now();
  const auto [outcome, init] = hurt_by(SIGSTOP, policy, mark);
  // The promise is one second. A loaded machine gets much more before the test calls it late.
  EXPECT_LT(Clock::now() - begun, seconds(3 + 20));
  EXPECT_EQ(outcome.status, Status::timed_out) << outcome_json(outcome);
  if (fixture_tier() == Tier::c) {
    EXPECT_EQ(layer_state(outcome, "process_tree"), LayerState::enforced);
    expect_nothing_alive(mark);
  } else {
    EXPECT_EQ(layer_state(outcome, "process_tree"), LayerState::absent);
    EXPECT_EQ(layer_text(outcome, "process_tree", "reason"),
              "some processes of the run were still alive when the outcome was due; init keeps "
              "killing them");
    kill(init, SIGCONT);
    EXPECT_TRUE(is_gone_soon(mark)) << "it goes on ending the tree as soon as it can";
  }
}

TEST(Command, IsSentSigkillWhenInitDies) {
  const RunFixture fixture;
  FixturePolicy first = fixture_policy();
  first.identity.as_pid_1 = fixture_tier() == Tier::c;
  for (const FixturePolicy& policy : {fixture_policy(), first, unconfined_policy()})
    EXPECT_EQ(said(fixture.run(policy, {"print-death-signal"})), std::to_string(SIGKILL));
}

// A stopped process sees SIGTERM only after it was continued. The grace period is short and the
// machine may be busy, so the command gets several tries.
TEST(Grace, IsForStoppedProcessesToo) {
  const RunFixture fixture;
  FixturePolicy policy = fixture_policy();
  policy.limits.wall_time_ms = 1000;
  std::string told;
  for (int i = 0; i < 10 && told.empty(); ++i)
    told = fixture.run(policy, {"stop-and-tell-of-term"}).stdout_stream.data;
  EXPECT_EQ(told, "asked\n");
}

}  // namespace
}  // namespace bawn
