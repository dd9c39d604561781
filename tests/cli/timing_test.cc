// `--timing`: how long each step took, in the outcome and as a table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Steps {
  std::vector<std::string> names;
  std::uint64_t sum_ns = 0;
};

Steps steps_of(const nlohmann::json& printed) {
  Steps steps;
  for (const auto& step : printed.at("timing")) {
    steps.names.push_back(step.at("step").get<std::string>());
    steps.sum_ns += step.at("ns").get<std::uint64_t>();
  }
  return steps;
}

// The steps of bawn before the command runs, and the steps of init. In tier c they run in parallel.
const Words kBawnInB = {"probe", "init", "validate", "plan", "ruleset", "encode_exec"};
const Words kBawnInC = {"probe", "init", "setup", "validate", "plan", "encode_exec"};
const Words kInitInB = {"receive_exec",   "priority",         "own_session", "watch_parent",
                        "watch_children", "become_subreaper", "open_proc"};
const Words kInitInC = {"receive_setup",  "priority",       "own_session",     "watch_parent",
                        "watch_children", "few_privileges", "read_namespaces", "become_user",
                        "host_name",      "make_root",      "base_mount",      "mount",
                        "change_root",    "leave_old_root", "open_cwd",        "open_executable",
                        "netns"};
// The steps that every confined command takes, and those after it.
const Words kCommand = {
    "clone_command", "new_session",   "die_with_init", "reset_umask",      "reset_personality",
    "new_keyring",   "connect_stdio", "close_files",   "change_directory", "limits",
    "capabilities",  "no_new_privs",  "seccomp",       "execute",          "command",
    "tree_gone",     "outcome"};

// Each step occurs once, and in this order.
void expect_in_order(const std::vector<std::string>& steps, const Words& wanted) {
  std::vector<std::string> found;
  for (const std::string& step : steps) {
    if (std::find(wanted.begin(), wanted.end(), step) != wanted.end()) found.push_back(step);
  }
  EXPECT_EQ(found, wanted);
}

TEST(Timing, TellsEveryStepOnceInTheOrderInWhichTheyAreTaken) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const auto before = std::chrono::steady_clock::now();
    const Answer answer =
        caller.call({"run", "--timing", "--json", "--tier", tier, "--", guest(), "exit", "3"});
    ASSERT_EQ(answer.exit_code, 3) << answer.out << answer.err;
    const auto printed = printed_json(answer.out);
    const Steps steps = steps_of(printed);
    for (const Words* first :
         tier == "c" ? std::array{&kBawnInC, &kInitInC} : std::array{&kBawnInB, &kInitInB}) {
      Words all = *first;
      all.insert(all.end(), kCommand.begin(), kCommand.end());
      expect_in_order(steps.names, all);
    }
    EXPECT_GE(steps.sum_ns / 1'000'000, printed.at("duration_ms").get<std::uint64_t>())
        << "it holds the duration";
    EXPECT_LE(std::chrono::nanoseconds(steps.sum_ns), std::chrono::steady_clock::now() - before)
        << "and no more than the whole call";
  }
}

TEST(Timing, TellsHowACommandBecomesProcess1) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--timing", "--json", "--as-pid-1", "--", guest(), "exit", "3"});
  ASSERT_EQ(answer.exit_code, 3) << answer.out << answer.err;
  expect_in_order(steps_of(printed_json(answer.out)).names,
                  {"netns", "clone_command", "nested_pid_namespace", "nested_proc", "new_session"});
}

TEST(Timing, IsATableForPeopleAndLeavesTheOutputAlone) {
  const Caller caller;
  const Answer answer =
      caller.call({"run", "--timing", "--tier", "b", "--", guest(), "print", "hello"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, "hello\n");
  EXPECT_THAT(answer.err, testing::StartsWith("bawn: timing in nanoseconds\n"));
  for (const char* line : {"  probe\n", "  seccomp\n", "  command\n", "  outcome\n", "  in all\n"})
    EXPECT_THAT(answer.err, HasSubstr(line));
}

TEST(Timing, IsInTheRecordOfARequest) {
  const Caller caller;
  const Answer answer =
      caller.call({"exec", "--timing", "--mode", "agent", "--tier", "b", "--allow-exec", "cat"},
                  {.in = R"({"command":"cat"})"});
  EXPECT_THAT(steps_of(printed_json(answer.out)).names,
              AllOf(testing::Contains("seccomp"), testing::Contains("outcome")))
      << answer.out;
}

TEST(Timing, IsToldAsFarAsADeniedRunCame) {
  const Caller caller;
  const Answer answer = caller.call({"run", "--timing", "--json", "--mode", "agent", "--", "cat"});
  EXPECT_EQ(answer.exit_code, 126);
  EXPECT_THAT(steps_of(printed_json(answer.out)).names,
              testing::ElementsAre("probe", "init", "setup", "validate", "outcome"));
}

TEST(Timing, IsNotThereUnlessAskedFor) {
  const Caller caller;
  const Answer printed = caller.call({"run", "--json", "--tier", "b", "--", guest(), "exit", "0"});
  EXPECT_EQ(at(printed_json(printed.out), "/timing"), "absent");
  const Answer people = caller.call({"run", "--tier", "b", "--", guest(), "exit", "0"});
  EXPECT_EQ(people.err, "");
}

TEST(Timing, TakesNoValueAndIsNothingForCheck) {
  const Caller caller;
  EXPECT_THAT(caller.call({"run", "--timing=yes", "--", "true"}).err,
              HasSubstr("--timing takes no value"));
  EXPECT_THAT(caller.call({"check", "--timing", "--", "true"}).err, HasSubstr("'--timing'"));
}

}  // namespace
}  // namespace bawn
