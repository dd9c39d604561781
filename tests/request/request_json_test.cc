#include <gtest/gtest.h>

#include "request/request.h"

namespace bawn {
namespace {

using json::Problem;
using Problems = std::vector<Problem>;

Request parsed(std::string text) {
  auto result = parse_request(std::move(text));
  if (const auto* problems = std::get_if<Problems>(&result)) {
    for (const Problem& problem : *problems) ADD_FAILURE() << to_string(problem);
    return {};
  }
  return std::get<Request>(std::move(result));
}

std::vector<std::string> problems_of(std::string text) {
  const auto result = parse_request(std::move(text));
  std::vector<std::string> out;
  if (const auto* problems = std::get_if<Problems>(&result)) {
    for (const Problem& problem : *problems) out.push_back(to_string(problem));
  }
  return out;
}

using Lines = std::vector<std::string>;

TEST(ParseRequest, ReadsEveryField) {
  const Request request = parsed(R"({
    "command": "git", "args": ["log", "-n", "1"], "cwd": "sub", "env": {"A": "1", "B": ""}, "stdin": "x\ny",
    "requested_egress_hosts": ["example.org:443"], "timeout_ms": 5000, "background": true,
    "lifetime_mode": "detached", "pty": true, "run_id": "r-1"})");
  Request expected;
  expected.command = "git";
  expected.args = {"log", "-n", "1"};
  expected.cwd = "sub";
  expected.env = {{"A", "1"}, {"B", ""}};
  expected.stdin_text = "x\ny";
  expected.requested_egress_hosts = {"example.org:443"};
  expected.timeout_ms = 5000;
  expected.background = true;
  expected.lifetime_mode = LifetimeMode::detached;
  expected.pty = true;
  expected.run_id = "r-1";
  EXPECT_EQ(request, expected);
}

TEST(ParseRequest, LeavesAbsentFieldsAtTheirDefaults) {
  Request expected;
  expected.command = "ls";
  EXPECT_EQ(parsed(R"({"command":"ls"})"), expected);
  EXPECT_EQ(
      parsed(R"({"command":"ls","args":[],"cwd":"","env":{},"requested_egress_hosts":[],"pty":false,
                       "background":false,"lifetime_mode":"run_owned"})"),
      expected);
}

TEST(ParseRequest, KeepsAnEmptyStdinApartFromNone) {
  EXPECT_EQ(parsed(R"({"command":"cat","stdin":""})").stdin_text, "");
  EXPECT_EQ(parsed(R"({"command":"cat"})").stdin_text, std::nullopt);
}

TEST(ParseRequest, ReportsEveryProblemAtOnceInTheOrderOfTheText) {
  EXPECT_EQ(
      problems_of(
          "{\"args\": [1, \"\\u0000\"],\n \"command\": \"git status\",\n \"timeout_ms\": 0,\n"
          " \"env\": {\"1A\": \"x\", \"B\": null},\n \"nonsense\": 1,\n \"cwd\": []}"),
      (Lines{
          R"(1:11: args[0]: expected a string, found a number (write "1"))",
          R"(1:14: args[1]: expected text without NUL bytes, found '\x00' (remove the \u0000))",
          R"(2:13: command: expected the name or path of one program, found the command line 'git status' )"
          R"((write {"command":"git","args":["status"]}, with the present args after these))",
          "3:16: timeout_ms: expected a whole number from 1 to 86400000, found 0",
          "4:16: env['1A']: expected a variable's name, found '1A' (a name is made of letters, "
          "digits and _, and does not start with a digit)",
          "4:26: env.B: expected a string, found null (leave it out where there is no value)",
          "5:2: nonsense: unknown key 'nonsense' (expected command, args, cwd, env, stdin, "
          "requested_egress_hosts, timeout_ms, background, lifetime_mode, pty or run_id)",
          "6:9: cwd: expected a string, found an array",
      }));
}

// The hint was once to leave the command out, and the next message said that it is missing.
TEST(ParseRequest, DoesNotAdviseToLeaveTheCommandOut) {
  EXPECT_EQ(
      problems_of(R"({"command":null})"),
      Lines{
          R"(1:12: command: expected a string, found null (for example {"command":"ls","args":["-l"]}))"});
  EXPECT_EQ(
      problems_of(R"({"command":"ls","cwd":null})"),
      Lines{"1:23: cwd: expected a string, found null (leave it out where there is no value)"});
}

TEST(ParseRequest, DoesNotOfferTheNamesOfOtherToolsAsItsOwn) {
  const Lines problems = problems_of(R"({"command":"ls","workdir":"/x","nonsense":1})");
  ASSERT_EQ(problems.size(), 2U);
  EXPECT_EQ(problems[1].find("workdir"), std::string::npos) << problems[1];
}

TEST(ParseRequest, HintsAtWhatAWrongTypeWasMeantToBe) {
  EXPECT_EQ(
      problems_of(R"({"command":"git","args":"log -n 1"})"),
      Lines{
          R"(1:25: args: expected an array of strings, found a string (write ["log","-n","1"]))"});
  EXPECT_EQ(problems_of(R"({"command":"git","args":"log | cat"})"),
            Lines{"1:25: args: expected an array of strings, found a string "
                  R"((give each as one element of an array, as in ["-l", "src"]))"});
  EXPECT_EQ(problems_of(R"({"command":["git","log"]})"),
            Lines{"1:12: command: expected a string, found an array "
                  R"((write {"command":"git","args":["log"]}))"});
  EXPECT_EQ(problems_of(R"({"command":["git",["log"]]})"),
            Lines{"1:12: command: expected a string, found an array "
                  R"((the program is "command", its arguments are "args"))"});
  EXPECT_EQ(problems_of(R"({"command":"x","env":["A=1"]})"),
            Lines{R"(1:22: env: expected an object, found an array (write {"NAME":"value"}))"});
  EXPECT_EQ(
      problems_of(R"({"command":"x","timeout_ms":"5000"})"),
      Lines{"1:29: timeout_ms: expected a number, found a string (write 5000 without quotes)"});
  EXPECT_EQ(problems_of(R"({"command":"x","pty":"true"})"),
            Lines{"1:22: pty: expected true or false, found a string (write true or false without "
                  "quotes)"});
  EXPECT_EQ(problems_of(R"({"command":"x","args":[["a"]]})"),
            Lines{"1:24: args[0]: expected a string, found an array"});
  EXPECT_EQ(problems_of(R"({"command":"x","args":[true]})"),
            Lines{R"(1:24: args[0]: expected a string, found true or false (write "true"))"});
}

TEST(ParseRequest, KnowsTheNamesThatOtherToolsUse) {
  EXPECT_EQ(problems_of(R"({"command":"ls","timeout":1})"),
            Lines{"1:27: timeout: unknown key 'timeout' (did you mean 'timeout_ms'?)"});
  EXPECT_EQ(problems_of(R"({"command":"ls","comand":"x"})"),
            Lines{"1:17: comand: unknown key 'comand' (did you mean 'command'?)"});
  EXPECT_EQ(problems_of(R"({"cmd":"ls"})"),
            (Lines{R"(1:1: command: missing; expected the name or path of a program (for example )"
                   R"({"command":"ls","args":["-l"]}))",
                   "1:8: cmd: unknown key 'cmd' (did you mean 'command'?)"}));
}

TEST(ParseRequest, RefusesComments) {
  EXPECT_EQ(problems_of("{\"command\":\"ls\" /* x */}").size(), 1U);
  EXPECT_EQ(problems_of("{\"command\":\"ls\"}"), Lines{});
}

TEST(ParseRequest, RefusesACommandLineInAnArgumentWhereItStands) {
  EXPECT_EQ(
      problems_of(R"({"command":"git","args":["git status"]})"),
      Lines{"1:26: args[0]: expected one argument, found a whole command line in it: 'git status' "
            R"((write {"command":"git","args":["status"]}))"});
  EXPECT_EQ(problems_of(R"({"command":"git","args":["commit","-m","git status"]})"), Lines{});
}

TEST(ParseRequest, RefusesAnEmptyRunIdInTheText) {
  EXPECT_EQ(problems_of(R"({"command":"ls","run_id":""})").size(), 1U);
  EXPECT_EQ(problems_of(R"({"command":"ls","run_id":"a"})"), Lines{});
}

TEST(ParseRequest, RefusesTextsLargerThanTheCap) {
  std::string text = R"({"command":"ls"})";
  text.resize(kMaxRequestBytes, ' ');
  EXPECT_EQ(problems_of(text), Lines{});
  text += ' ';
  EXPECT_EQ(problems_of(text), Lines{"1:1: expected at most 131072 bytes, found 131073"});
}

TEST(ParseRequest, KeepsTheListOfProblemsShort) {
  std::string many_arguments = R"({"command":"ls","args":[)";
  for (int i = 0; i < 2000; ++i) many_arguments += "1,";
  many_arguments += "1]}";
  const Lines arguments = problems_of(many_arguments);
  ASSERT_EQ(arguments.size(), json::kMaxListedProblems + 1);
  EXPECT_EQ(arguments.front(), "1:24: args: expected at most 128 elements, found 2001");
  EXPECT_NE(arguments.back().find("65 more problems"), std::string::npos) << arguments.back();

  std::string many_duplicates = "{";
  for (int i = 0; i < 1000; ++i) many_duplicates += "\"a\":1,";
  many_duplicates += "\"a\":1}";
  EXPECT_EQ(problems_of(many_duplicates).size(), json::kMaxListedProblems + 1);

  std::string many_keys = "{";
  for (int i = 0; i < 500; ++i) many_keys += "\"" + std::to_string(i) + "\":1,";
  many_keys += "\"command\":\"ls\"}";
  EXPECT_EQ(problems_of(many_keys),
            Lines{"1:1: expected a request, found an object with 501 keys"});
}

TEST(ParseRequest, NeverPutsControlBytesIntoAPath) {
  const auto result = parse_request(R"({"command":"ls","\u001b[31m":1,"env":{"\u001b":1}})");
  for (const Problem& problem : std::get<Problems>(result)) {
    EXPECT_EQ(to_string(problem).find('\x1b'), std::string::npos) << problem.where;
  }
}

TEST(ParseRequest, AcceptsEachFieldAtItsCap) {
  const auto text = [](std::size_t args, std::size_t bytes) {
    std::string out = R"({"command":"ls","args":[")" + std::string(bytes, 'a') + '"';
    for (std::size_t i = 1; i < args; ++i) out += ",\"x\"";
    return out + "]}";
  };
  EXPECT_EQ(problems_of(text(kMaxArguments, kMaxArgumentBytes)), Lines{});
  EXPECT_EQ(problems_of(text(kMaxArguments + 1, kMaxArgumentBytes)).size(), 1U);
  EXPECT_EQ(problems_of(text(kMaxArguments, kMaxArgumentBytes + 1)).size(), 1U);
}

}  // namespace
}  // namespace bawn
