#include "request/rules.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

Request good() {
  Request request;
  request.command = "git";
  request.args = {"status"};
  return request;
}

std::vector<std::string> places(const Request& request,
                                RequestSource source = RequestSource::model) {
  std::vector<std::string> out;
  for (const json::Problem& problem : check_request(request, source)) out.push_back(problem.where);
  return out;
}

using Places = std::vector<std::string>;
const std::string kNul("a\0b", 3);

TEST(RequestRules, AcceptARequestAtEveryCap) {
  Request request = good();
  request.command = std::string(kMaxCommandBytes, 'c');
  request.args.assign(kMaxArguments, std::string(kMaxArgumentBytes, 'a'));
  request.cwd = std::string(kMaxCwdBytes, 'd');
  for (std::size_t i = 0; i < kMaxEnvironment; ++i) {
    std::string key = "K" + std::to_string(i);
    key.resize(kMaxEnvironmentKeyBytes, '_');
    request.env[key] = std::string(kMaxEnvironmentValueBytes, 'v');
  }
  request.stdin_text = std::string(kMaxStdinBytes, 's');
  request.requested_egress_hosts.assign(kMaxRequestedHosts, std::string(kMaxHostBytes, 'h'));
  request.timeout_ms = static_cast<std::uint64_t>(kMaxTimeoutMs);
  request.run_id = std::string(kMaxRunIdBytes, 'r');
  EXPECT_EQ(places(request), Places{});
}

TEST(RequestRules, RefuseOneMoreThanEachCapAllAtOnce) {
  Request request = good();
  request.command = std::string(kMaxCommandBytes + 1, 'c');
  request.args.assign(kMaxArguments + 1, "a");
  request.args[5] = std::string(kMaxArgumentBytes + 1, 'a');
  request.cwd = std::string(kMaxCwdBytes + 1, 'd');
  for (std::size_t i = 0; i <= kMaxEnvironment; ++i) request.env["K" + std::to_string(i)] = "v";
  request.env["K0"] = std::string(kMaxEnvironmentValueBytes + 1, 'v');
  request.stdin_text = std::string(kMaxStdinBytes + 1, 's');
  request.requested_egress_hosts.assign(kMaxRequestedHosts + 1, "h");
  request.requested_egress_hosts[1] = std::string(kMaxHostBytes + 1, 'h');
  request.timeout_ms = static_cast<std::uint64_t>(kMaxTimeoutMs) + 1;
  request.run_id = std::string(kMaxRunIdBytes + 1, 'r');
  EXPECT_EQ(places(request), (Places{"command", "args", "args[5]", "cwd", "env", "env.K0", "stdin",
                                     "requested_egress_hosts", "requested_egress_hosts[1]",
                                     "timeout_ms", "run_id"}));
}

TEST(RequestRules, RefuseNulBytesEverywhereFromAnybody) {
  Request request = good();
  request.command = kNul;
  request.args = {"x", kNul};
  request.cwd = kNul;
  request.env = {{"A", kNul}, {kNul, "x"}};
  request.stdin_text = kNul;
  request.requested_egress_hosts = {kNul};
  request.run_id = kNul;
  const Places all = {
      "command", "args[1]", "cwd", "env.A", "env['a\\x00b']", "stdin", "requested_egress_hosts[0]",
      "run_id"};
  EXPECT_EQ(places(request, RequestSource::model), all);
  EXPECT_EQ(places(request, RequestSource::person), all);
}

TEST(RequestRules, RefuseACommandThatIsNoName) {
  for (const char* command :
       {"", " ", "\t\n", " git", "git ", "git\n", "g\x01it", "git\x7f", "git\tstatus"}) {
    Request request = good();
    request.command = command;
    EXPECT_EQ(places(request), Places{"command"}) << command;
    EXPECT_EQ(places(request, RequestSource::person), Places{"command"}) << command;
  }
  EXPECT_EQ(places(good()), Places{});
}

TEST(RequestRules, TellWhatACommandWithBlanksAroundItShouldBe) {
  Request request = good();
  request.command = " git\n";
  const auto problems = check_request(request, RequestSource::model);
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0].hint, "write 'git'");
  EXPECT_EQ(problems[0].line, 0U);
}

TEST(RequestRules, KeepTheCapsOnArgumentsForModelsOnly) {
  Request request = good();
  request.command = "/" + std::string(kMaxCommandBytes, 'c');
  request.args.assign(kMaxArguments + 1, std::string(kMaxArgumentBytes + 1, 'a'));
  EXPECT_EQ(places(request, RequestSource::person), Places{});
  EXPECT_EQ(places(request, RequestSource::model).size(), 2 + kMaxArguments + 1);
}

TEST(RequestRules, LetAPersonQuoteWhatTheyLike) {
  Request path = good();
  path.command = "./my prog";
  EXPECT_EQ(places(path, RequestSource::person), Places{});
  EXPECT_EQ(places(path, RequestSource::model), Places{"command"});
  Request argument = good();
  argument.args = {"status --short"};
  EXPECT_EQ(places(argument, RequestSource::person), Places{});
  EXPECT_EQ(places(argument, RequestSource::model), Places{"args[0]"});
  Request bare = good();
  bare.command = "git status";
  EXPECT_EQ(places(bare, RequestSource::person), Places{"command"});
}

// A person who had typed a command was once shown how to write JSON.
TEST(RequestRules, TellAPersonWordsForACommandLineAndAModelJson) {
  for (const char* command : {"", "git status"}) {
    Request request = good();
    request.command = command;
    EXPECT_NE(check_request(request, RequestSource::model).at(0).hint.find("{\"command\""),
              std::string::npos);
    const std::string hint = check_request(request, RequestSource::person).at(0).hint;
    EXPECT_FALSE(hint.empty());
    EXPECT_EQ(hint.find('{'), std::string::npos) << hint;
  }
}

TEST(RequestRules, RefuseKeysThatAreNoVariableNames) {
  for (const char* key : {"", "1A", "A-B", "A B", "A=B", "\xc3\xa4", "A\n", "%A", "A."}) {
    Request request = good();
    request.env = {{key, "x"}};
    EXPECT_EQ(places(request).size(), 1U) << key;
  }
  Request request = good();
  request.env = {{"A", ""}, {"_", "x"}, {"a_1", "x"}, {"HOME", "/x y"}};
  EXPECT_EQ(places(request), Places{});
  request.env = {{std::string(kMaxEnvironmentKeyBytes + 1, 'A'), "x"}};
  EXPECT_EQ(places(request).size(), 1U);
}

TEST(RequestRules, RefuseRunIdsThatAreNoNames) {
  for (const char* id : {".", "..", "a/b", "a b", "a\n", "\xc3\xa4", "a:b"}) {
    Request request = good();
    request.run_id = id;
    EXPECT_EQ(places(request), Places{"run_id"}) << id;
  }
  for (const char* id : {"", "a", "run-1.2_3", "-", "...", "01J"}) {
    Request request = good();
    request.run_id = id;
    EXPECT_EQ(places(request), Places{}) << id;
  }
}

TEST(RequestRules, RefuseATimeoutOfZeroAndAnEmptyHost) {
  Request request = good();
  request.timeout_ms = 0;
  request.requested_egress_hosts = {"example.org", ""};
  EXPECT_EQ(places(request), (Places{"requested_egress_hosts[1]", "timeout_ms"}));
  request.timeout_ms = 1;
  request.requested_egress_hosts = {"example.org"};
  EXPECT_EQ(places(request), Places{});
}

}  // namespace
}  // namespace bawn
