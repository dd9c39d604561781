// `--timing`: how long each step took, in the record and as a table.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "caller.h"
#include "record.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

struct Steps {
  std::vector<std::string> names;
  std::uint64_t sum_ns = 0;
};

Steps steps_of(const nlohmann::json& record) {
  Steps steps;
  for (const auto& step : record.at("timing")) {
    steps.names.push_back(step.at("step").get<std::string>());
    steps.sum_ns += step.at("ns").get<std::uint64_t>();
  }
  return steps;
}

// Those of bawn before the keeper has a program, those that every confined command takes, and those after it.
const Words kBoth[] = {
    {"probe", "keeper", "validate", "plan", "ruleset", "program_text"},
    {"receive_program", "own_session", "watch_parent", "watch_children", "clone_payload", "reset_signals",
     "new_session", "die_with_keeper", "reset_umask", "reset_personality", "new_keyring", "connect_stdio",
     "close_files", "change_directory", "limits", "capabilities", "no_new_privs", "seccomp", "execute"},
    {"command", "tree_gone", "answer"},
};
const Words kFence = {"become_subreaper", "open_proc", "landlock"};
const Words kYard = {"id_maps",   "read_namespaces", "become_user", "host_name",
                     "make_root", "make_part",       "change_root", "leave_old_root",
                     "open_cwd",  "open_executable", "own_network", "drop_keeper"};

TEST(Timing, TellsEveryStepOnceInTheOrderInWhichTheyAreTaken) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const auto before = std::chrono::steady_clock::now();
    const Answer answer =
        caller.call({"run", "--timing", "--json", "--tier", tier, "--", sandboxee(), "exit", "3"});
    ASSERT_EQ(answer.exit_code, 3) << answer.out << answer.err;
    const auto record = record_of(answer.out);
    const Steps steps = steps_of(record);
    std::vector<std::string> known;
    for (const Words& words : kBoth) {
      for (const std::string& step : words) {
        EXPECT_EQ(std::count(steps.names.begin(), steps.names.end(), step), 1) << step << " in tier " << tier;
        known.push_back(step);
      }
    }
    for (const std::string& step : tier == "c" ? kYard : kFence) {
      EXPECT_EQ(std::count(steps.names.begin(), steps.names.end(), step), 1) << step << " in tier " << tier;
    }
    // What is common to both tiers comes in the order of the lists above.
    std::vector<std::string> common;
    for (const std::string& step : steps.names) {
      if (std::find(known.begin(), known.end(), step) != known.end()) common.push_back(step);
    }
    EXPECT_EQ(common, known);
    EXPECT_GE(steps.sum_ns / 1'000'000, record.at("duration_ms").get<std::uint64_t>())
        << "it holds the duration";
    EXPECT_LE(std::chrono::nanoseconds(steps.sum_ns), std::chrono::steady_clock::now() - before)
        << "and no more than the whole call";
  }
}

TEST(Timing, IsATableForPeopleAndLeavesTheOutputAlone) {
  const Caller caller;
  const Answer answer = caller.call({"run", "--timing", "--tier", "b", "--", sandboxee(), "print", "hello"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, "hello\n");
  EXPECT_THAT(answer.err, testing::StartsWith("bawn: timing in nanoseconds\n"));
  for (const char* line : {"  probe\n", "  seccomp\n", "  command\n", "  answer\n", "  in all\n"})
    EXPECT_THAT(answer.err, HasSubstr(line));
}

TEST(Timing, IsInTheRecordOfARequest) {
  const Caller caller;
  const Answer answer =
      caller.call({"exec", "--timing", "--mode", "agent", "--tier", "b", "--allow-exec", "cat"},
                  {.in = R"({"command":"cat"})"});
  EXPECT_THAT(steps_of(record_of(answer.out)).names,
              AllOf(testing::Contains("seccomp"), testing::Contains("answer")))
      << answer.out;
}

TEST(Timing, IsToldAsFarAsADeniedRunCame) {
  const Caller caller;
  const Answer answer = caller.call({"run", "--timing", "--json", "--mode", "agent", "--", "cat"});
  EXPECT_EQ(answer.exit_code, 126);
  EXPECT_THAT(steps_of(record_of(answer.out)).names,
              testing::ElementsAre("probe", "keeper", "validate", "answer"));
}

TEST(Timing, IsNotThereUnlessAskedFor) {
  const Caller caller;
  const Answer record = caller.call({"run", "--json", "--tier", "b", "--", sandboxee(), "exit", "0"});
  EXPECT_EQ(at(record_of(record.out), "/timing"), "absent");
  const Answer people = caller.call({"run", "--tier", "b", "--", sandboxee(), "exit", "0"});
  EXPECT_EQ(people.err, "");
}

TEST(Timing, TakesNoValueAndIsNothingForCheck) {
  const Caller caller;
  EXPECT_THAT(caller.call({"run", "--timing=yes", "--", "true"}).err, HasSubstr("--timing takes no value"));
  EXPECT_THAT(caller.call({"check", "--timing", "--", "true"}).err, HasSubstr("'--timing'"));
}

}  // namespace
}  // namespace bawn
