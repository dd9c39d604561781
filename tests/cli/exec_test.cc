// `bawn exec`: one request as JSON on stdin, one outcome as JSON on stdout, exit code 0 for every
// request.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::HasSubstr;

std::string request(const Words& verb) {
  nlohmann::json out;
  out["command"] = guest();
  out["args"] = verb;
  return out.dump();
}

Words exec_words() { return {"exec", "--mode", "agent", "--allow-exec", guest()}; }

// bawn answers in one line that the request is invalid.
void expect_invalid(const Answer& answer, const std::string& what) {
  EXPECT_EQ(answer.exit_code, 0) << what << ": " << answer.err;
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/status"), "denied") << what;
  EXPECT_EQ(at(printed, "/error/kind"), "invalid_input") << what;
  EXPECT_NE(at(printed, "/violations/0/message"), "absent") << what;
  EXPECT_EQ(answer.err, "") << what;
}

TEST(Exec, AnswersARequest) {
  const Caller caller;
  const Answer answer = caller.call(exec_words(), {.in = request({"print-to-both", "one", "two"})});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/status"), "exited") << answer.out;
  EXPECT_EQ(at(printed, "/success"), "true");
  EXPECT_EQ(at(printed, "/stdout"), "one");
  EXPECT_EQ(at(printed, "/stderr"), "two");
}

TEST(Exec, ExitsWith0WhateverTheCommandDid) {
  const Caller caller;
  const Answer answer = caller.call(exec_words(), {.in = request({"exit", "3"})});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_EQ(at(printed_json(answer.out), "/exit_code"), "3");
}

TEST(Exec, TakesTheStandardInputFromTheRequestAndNotItsOwn) {
  const Caller caller;
  const std::string text =
      R"({"command":")" + guest() + R"(","args":["copy-stdin"],"stdin":"from the request"})";
  const Answer answer = caller.call(exec_words(), {.in = text + "   \n"});
  EXPECT_EQ(at(printed_json(answer.out), "/stdout"), "from the request");
}

TEST(Exec, WorksInTheWorkspaceItIsGiven) {
  const Caller caller;
  const Words words = joined(exec_words(), {"--workspace", caller.outside()});
  const Answer answer = caller.call(words, {.in = request({"print-directory"})});
  EXPECT_EQ(at(printed_json(answer.out), "/stdout"), caller.outside() + "\n");
}

TEST(Exec, TheFlagForTheWorkspaceWinsOverThePolicysRoot) {
  const Caller caller;
  const std::string policy = caller.outside() + "/policy.json";
  std::ofstream(policy) << R"({"executables":{"allow":[")" << guest()
                        << R"("]},"workspace":{"root":")" << caller.outside() << R"("}})";
  const Handed where = {.in = request({"print-directory"})};
  EXPECT_EQ(at(printed_json(caller.call({"exec", "--policy", policy}, where).out), "/stdout"),
            caller.outside() + "\n");
  const Words words = {"exec", "--policy", policy, "--workspace", caller.workspace()};
  EXPECT_EQ(at(printed_json(caller.call(words, where).out), "/stdout"), caller.workspace() + "\n");
}

TEST(Exec, DeniesWhatThePolicyDoesNotAllow) {
  const Caller caller;
  const Handed create = {.in = request({"create", "observer"})};
  const Answer denied = caller.call({"exec", "--mode", "agent"}, create);
  EXPECT_EQ(denied.exit_code, 0);
  EXPECT_EQ(at(printed_json(denied.out), "/status"), "denied");
  EXPECT_FALSE(std::filesystem::exists(caller.workspace() + "/observer"));
  EXPECT_EQ(at(printed_json(caller.call(exec_words(), create).out), "/status"), "exited");
  EXPECT_TRUE(std::filesystem::exists(caller.workspace() + "/observer"));
}

TEST(Exec, NeedsAPolicyThatIsNamed) {
  Caller caller;
  const Handed create = {.in = request({"create", "observer"})};
  const Answer without = caller.call({"exec"}, create);
  EXPECT_EQ(without.exit_code, 125);
  EXPECT_EQ(without.out, "");
  EXPECT_THAT(without.err,
              testing::AllOf(HasSubstr("--policy PRESET"), HasSubstr("--policy FILE")));

  // BAWN_* variables are a person's defaults. They must not decide what a model may do.
  caller.set_variable("BAWN_MODE", "disabled");
  EXPECT_EQ(caller.call({"exec"}, create).exit_code, 125);
  EXPECT_FALSE(std::filesystem::exists(caller.workspace() + "/observer"));
}

TEST(Exec, AnswersEveryMalformedRequestAsInvalidInput) {
  const Caller caller;
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(named_by("BAWN_MALFORMED"))) {
    std::ifstream file(entry.path(), std::ios::binary);
    ASSERT_TRUE(file.is_open()) << entry.path();
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    expect_invalid(caller.call(exec_words(), {.in = text}), entry.path());
    ++files;
  }
  EXPECT_GE(files, 70U);
}

TEST(Exec, AnswersNoiseAsInvalidInput) {
  const Caller caller;
  std::mt19937 random(11);  // NOLINT(cert-msc51-cpp): the same noise each time
  for (int round = 0; round < 10; ++round) {
    std::string text(4000, '\0');
    for (char& byte : text) byte = static_cast<char>(random());
    expect_invalid(caller.call(exec_words(), {.in = text}), "noise " + std::to_string(round));
  }
}

TEST(Exec, AnswersNothingAtAllAsInvalidInput) {
  const Caller caller;
  expect_invalid(caller.call(exec_words()), "empty stdin");
  expect_invalid(caller.call(exec_words(), {.closed = {0}}), "closed stdin");
}

TEST(Exec, AnswersFarTooMuchAsInvalidInput) {
  const Caller caller;
  expect_invalid(caller.call(exec_words(), {.in = std::string(10 << 20, '[')}), "10 MiB of '['");
  expect_invalid(
      caller.call(exec_words(), {.in = R"({"command":")" + std::string(200'000, 'x') + "\"}"}),
      "a long command");
}

// As when a person types `bawn exec` and presses Ctrl-C, or when a service stops its tool.
TEST(Exec, DoesNotDieOfAReaderThatIsGone) {
  const Caller caller;
  Call call = caller.start(exec_words(), {.in = request({"print", "x"})});
  call.stop_reading_stdout();
  const Answer answer = call.finish();
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("stdout"));
}

TEST(Exec, TakesNoCommandOnItsOwnLine) {
  const Caller caller;
  const Answer answer = caller.call({"exec", "--mode", "basic", "--", "true"});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("stdin"));
}

}  // namespace
}  // namespace bawn
