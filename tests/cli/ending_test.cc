// When bawn is stopped from outside, the command and everything it started end too.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <iterator>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::HasSubstr;

// A command and its daemon, which is in another session. Both ignore SIGTERM.
Words deaf_tree(const std::string& mark) { return {"--", guest(), "leave-daemon-and-sleep", mark}; }

struct Stop {
  int number;
  int exit_code;
};

constexpr Stop kStops[] = {{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}, {SIGQUIT, 131}};

TEST(StopSignal, CancelsTheRunAndNothingSurvives) {
  const Caller caller;
  for (const Stop& stop : kStops) {
    const std::string mark = marker() + std::to_string(stop.number);
    Call call = caller.start(joined({"run", "--tier", "b"}, deaf_tree(mark)));
    ASSERT_TRUE(call.wait_for_output("ready\n"));
    call.send_signal(stop.number);
    const Answer answer = call.finish();
    EXPECT_EQ(answer.exit_code, stop.exit_code);
    EXPECT_THAT(answer.err, HasSubstr("cancelled"));
    EXPECT_EQ(processes_with_argument(mark), 0);
  }
}

TEST(StopSignal, LeavesARecordOfTheCancelledRun) {
  const Caller caller;
  const std::string mark = marker();
  Call call = caller.start(
      joined({"run", "--tier", "b", "--json"}, {"--", guest(), "leave-daemon-and-sleep", mark}));
  // --json shows no output before the end, so this waits for the processes: bawn, the command and
  // the daemon.
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (processes_with_argument(mark) < 3) ASSERT_LT(std::chrono::steady_clock::now(), deadline);
  call.send_signal(SIGTERM);
  const Answer answer = call.finish();
  EXPECT_EQ(answer.exit_code, 143);
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/status"), "cancelled");
  EXPECT_EQ(at(printed, "/error/kind"), "cancelled");
  EXPECT_EQ(processes_with_argument(mark), 0);
}

std::size_t children_of(pid_t pid) {
  const std::string number = std::to_string(pid);
  std::ifstream list("/proc/" + number + "/task/" + number + "/children");
  return static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>(list),
                                                std::istream_iterator<std::string>()));
}

TEST(Init, OfARunIsTheOnlyProcessThatBawnStarts) {
  const Caller caller;
  for (const Words& words : {Words{"run"}, Words{"run", "--tier", "b"}, Words{"run", "--tier=c"},
                             Words{"run", "--egress", "allow_all"}}) {
    Call call = caller.start(joined(words, deaf_tree(marker())));
    ASSERT_TRUE(call.wait_for_output("ready\n"));
    EXPECT_EQ(children_of(call.pid()), 1U) << words.back();
    call.send_signal(SIGTERM);
    EXPECT_EQ(call.finish().exit_code, 143);
  }
}

// A caller that stops `bawn exec` still gets an outcome.
TEST(StopSignal, LeavesExecWithAnOutcomeToo) {
  const Caller caller;
  const std::string mark = marker();
  const std::string request =
      R"({"command":")" + guest() + R"(","args":["leave-daemon-and-sleep",")" + mark + R"("]})";
  Call call = caller.start({"exec", "--mode", "agent", "--allow-exec", guest()}, {.in = request});
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  call.write_input();
  while (processes_with_argument(mark) < 2) ASSERT_LT(std::chrono::steady_clock::now(), deadline);
  call.send_signal(SIGTERM);
  const Answer answer = call.finish();
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(at(printed_json(answer.out), "/status"), "cancelled");
  EXPECT_EQ(processes_with_argument(mark), 0);
}

// Only init can end the tree: it starts to do so when bawn is gone.
TEST(Killed, BawnLeavesNothingAlive) {
  const Caller caller;
  const std::string mark = marker();
  Call call = caller.start(joined({"run", "--tier", "b"}, deaf_tree(mark)));
  ASSERT_TRUE(call.wait_for_output("ready\n"));
  EXPECT_GE(processes_with_argument(mark), 3) << "bawn, the command and its daemon";
  call.send_signal(SIGKILL);
  EXPECT_EQ(call.finish_process().signal, SIGKILL);
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  while (processes_with_argument(mark) > 0) ASSERT_LT(std::chrono::steady_clock::now(), deadline);
}

}  // namespace
}  // namespace bawn
