// `bawn check`: whether a command would run, and every reason why not.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::HasSubstr;

// In tier c the plan is tried out up to the exec.
TEST(Check, SaysYesWithoutRunningAnything) {
  for (const std::string tier : {"b", "c"}) {
    const Caller caller;
    const std::string made = caller.workspace() + "/observer";
    const Words command = {"--tier", tier, "--", guest(), "create", "observer"};
    const Answer answer = caller.call(joined({"check"}, command));
    EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
    EXPECT_EQ(answer.out, "allowed in tier " + tier + "\n");
    EXPECT_EQ(caller.call(joined({"explain"}, command)).exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(made)) << tier;
    EXPECT_EQ(caller.call(joined({"run"}, command)).exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(made)) << "the command makes it when it runs: " << tier;
  }
}

TEST(Check, SaysNoWithEveryReasonAtOnce) {
  const Caller caller;
  const Words words = {"check",  "--mode",      "agent",
                       "--tier", "b",           "--",
                       "cat",    "/etc/shadow", "https://example.com/"};
  const Answer answer = caller.call(words);
  EXPECT_EQ(answer.exit_code, 126);
  EXPECT_THAT(answer.out, HasSubstr("denied: executable.not_allowed: "));
  EXPECT_THAT(answer.out, HasSubstr("denied: path.outside_scope: "));
  EXPECT_THAT(answer.out, HasSubstr("  hint: "));
  EXPECT_THAT(answer.out, testing::Not(HasSubstr("allowed in tier")));
  EXPECT_EQ(answer.err, "");
}

TEST(Check, PrintsTheSameAsJson) {
  const Caller caller;
  const Answer no = caller.call({"check", "--json", "--mode", "agent", "--", "cat"});
  EXPECT_EQ(no.exit_code, 126);
  EXPECT_EQ(at(printed_json(no.out), "/schema"), "bawn.check.v1");
  EXPECT_EQ(at(printed_json(no.out), "/allowed"), "false");
  EXPECT_EQ(at(printed_json(no.out), "/violations/0/code"), "executable.not_allowed");
  EXPECT_EQ(at(printed_json(no.out), "/violations/0/subject"), "cat");

  const Answer yes =
      caller.call({"check", "--json", "--mode", "agent", "--allow-exec", "cat", "--", "cat"});
  EXPECT_EQ(yes.exit_code, 0);
  EXPECT_EQ(at(printed_json(yes.out), "/allowed"), "true");
  EXPECT_EQ(at(printed_json(yes.out), "/tier"), "c");
  EXPECT_EQ(at(printed_json(yes.out), "/violations"), "[]");
}

TEST(Check, ReadsARequestFromStdinOrAFile) {
  const Caller caller;
  const std::string text = R"({"command":"cat","args":["cat","notes"]})";
  const Words agent = {"check", "--json", "--mode", "agent", "--allow-exec", "cat"};
  for (const std::string& where : {std::string("-"), caller.file_outside("request.json", text)}) {
    const Answer answer = caller.call(joined(agent, {"--request", where}), {.in = text});
    EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
    EXPECT_NE(at(printed_json(answer.out), "/repairs/0"), "absent")
        << "the repeated command is mended and reported";
  }
}

TEST(Check, AnswersAMalformedRequestAsADenial) {
  const Caller caller;
  const Words words = {"check", "--json", "--mode", "agent", "--request", "-"};
  for (const std::string& text : {std::string(), std::string("{"), std::string(10 << 20, '[')}) {
    const Answer answer = caller.call(words, {.in = text});
    EXPECT_EQ(answer.exit_code, 126) << answer.err;
    EXPECT_EQ(at(printed_json(answer.out), "/violations/0/code"), "request.invalid");
  }
}

TEST(Check, OfARequestNeedsAPolicyThatIsNamed) {
  Caller caller;
  caller.set_variable("BAWN_MODE", "disabled");
  const Answer answer = caller.call({"check", "--request", "-"}, {.in = R"({"command":"true"})"});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, HasSubstr("--policy PRESET"));
}

// Both once said "allowed" where `bawn run` refuses to start.
TEST(Check, RefusesTheHomeAsRunDoesAndSoDoesExplain) {
  Caller caller;
  caller.set_variable("HOME", caller.workspace());
  const Words command = {"--", guest(), "exit", "0"};
  const Answer run = caller.call(joined({"run"}, command));
  EXPECT_EQ(run.exit_code, 125);
  const Words also_denied = {"check", "--json", "--mode", "agent", "--", "cat"};
  for (const std::string name : {"check", "explain"}) {
    const Answer text = caller.call(joined({name}, command));
    EXPECT_EQ(text.exit_code, 125);
    EXPECT_THAT(text.out,
                HasSubstr("failed: workspace.home: the current directory is or holds your home"));
    EXPECT_EQ(text.err, "");

    const auto printed = printed_json(caller.call(joined({name, "--json"}, command)).out);
    EXPECT_EQ(at(printed, "/allowed"), "false");
    EXPECT_EQ(at(printed, "/tier"), "null");
    EXPECT_EQ(at(printed, "/violations/0/subject"), caller.workspace());
    EXPECT_EQ(run.err, "bawn: run: " + at(printed, "/violations/0/message") + "; " +
                           at(printed, "/violations/0/hint") + "\n");

    EXPECT_EQ(caller.call(joined({name, "--workspace", "."}, command)).exit_code, 0)
        << "on purpose";
    const Answer request =
        caller.call({name, "--mode", "agent", "--allow-exec", "cat", "--request", "-"},
                    {.in = R"({"command":"cat"})"});
    EXPECT_EQ(request.exit_code, 0) << "as exec would do it: " << request.out;
  }
  const auto both = printed_json(caller.call(also_denied).out);
  EXPECT_EQ(at(both, "/violations/0/code"), "workspace.home");
  EXPECT_EQ(at(both, "/violations/1/code"), "executable.not_allowed");
}

TEST(Check, NamesTheRequestFileItCannotRead) {
  const Caller caller;
  const Answer answer = caller.call({"check", "--mode", "agent", "--request", "/no/such/request"});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, testing::AllOf(HasSubstr("--request"), HasSubstr("'/no/such/request'")));
}

}  // namespace
}  // namespace bawn
