// `bawn explain`: the plan for people and as JSON, with the origin of each value.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// The entry of a list whose `field` is `value`; null if there is none.
nlohmann::json entry(const nlohmann::json& list, const std::string& field,
                     const std::string& value) {
  for (const auto& item : list) {
    if (item.at(field) == value) return item;
  }
  return nullptr;
}

TEST(Explain, PrintsThePlanAndRunsNothing) {
  const Caller caller;
  for (const std::string tier : {"b", "c"}) {
    const Answer answer = caller.call(
        {"explain", "--tier", tier, "--timeout", "7s", "--", guest(), "create", "observer"});
    EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
    EXPECT_EQ(answer.err, "");
    EXPECT_THAT(answer.out, testing::StartsWith("tier " + tier + "  (tier.use: --tier)\n"));
    for (const std::string_view part :
         {"\nprogram\n", "\nidentity\n", "\nenvironment", "\nlimits\n", "\nlayers\n"})
      EXPECT_THAT(answer.out, HasSubstr(part));
    EXPECT_THAT(answer.out,
                AllOf(HasSubstr(guest()), HasSubstr(caller.workspace()), HasSubstr("observer"),
                      HasSubstr("limits.wall_time_ms: --timeout"), HasSubstr("instructions")));
  }
  EXPECT_FALSE(std::filesystem::exists(caller.workspace() + "/observer"));
}

TEST(Explain, NamesTheLineOfThePolicyThatGrantsAPlace) {
  const Caller caller;
  const std::string policy = caller.file_outside(
      "p.json", "{\n  \"extends\": \"workspace\",\n  \"filesystem\": {\"read\": [\"" +
                    caller.outside() + "\"]}\n}\n");
  for (const std::string tier : {"b", "c"}) {
    const Answer answer = caller.call(
        {"explain", "--json", "--policy", policy, "--tier", tier, "--", guest(), "exit", "0"});
    ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
    const auto printed = printed_json(answer.out);
    const auto place =
        entry(printed.at("files"), "path", std::filesystem::canonical(caller.outside()));
    ASSERT_FALSE(place.is_null()) << answer.out;
    EXPECT_EQ(at(place, "/access"), "read-only");
    EXPECT_EQ(at(place, "/origin/key"), "filesystem.read");
    EXPECT_THAT(at(place, "/origin/source"), HasSubstr("p.json:3:"));
  }
}

TEST(Explain, TellsWhereTheHostHasWhatTheRunSeesElsewhere) {
  const Caller caller;
  const std::string outside = std::filesystem::canonical(caller.outside());
  const Words words = {"--tier", "c", "--ro", outside + ":/data/deep", "--", guest()};
  const Answer json = caller.call(joined({"explain", "--json"}, words));
  ASSERT_EQ(json.exit_code, 0) << json.out << json.err;
  const auto place = entry(printed_json(json.out).at("files"), "path", "/data/deep");
  ASSERT_FALSE(place.is_null()) << json.out;
  EXPECT_EQ(at(place, "/source"), outside);
  EXPECT_EQ(at(place, "/access"), "read-only");
  EXPECT_EQ(at(place, "/origin/source"), "--ro");
  EXPECT_THAT(caller.call(joined({"explain"}, words)).out,
              HasSubstr("the host's '" + outside + "'"));
}

TEST(Explain, InJsonHasEveryPartOfThePlan) {
  const Caller caller;
  const Words options = {"--json", "--protect", "keep",          "--hide",
                         "secret", "--rw",      caller.outside()};
  caller.file("keep", "k");
  caller.file("secret", "s");
  const Answer answer =
      caller.call(joined({"explain", "--tier", "c"}, joined(options, {"--", guest()})));
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  const auto printed = printed_json(answer.out);
  EXPECT_EQ(at(printed, "/schema"), "bawn.plan.v1");
  EXPECT_EQ(at(printed, "/tier/use"), "c");
  EXPECT_EQ(at(printed, "/program/argv/0"), guest());
  EXPECT_EQ(at(printed, "/identity/uid"), std::to_string(geteuid()));
  EXPECT_THAT(at(printed, "/namespaces"), HasSubstr("\"user\""));
  EXPECT_NE(at(printed, "/filter/hash"), "absent");
  EXPECT_NE(at(printed, "/landlock/abi"), "absent");
  EXPECT_NE(at(printed, "/network/what"), "absent");

  const std::string workspace = std::filesystem::canonical(caller.workspace());
  EXPECT_EQ(at(entry(printed.at("files"), "path", workspace), "/access"), "writable");
  EXPECT_EQ(at(entry(printed.at("files"), "path", workspace + "/keep"), "/origin/source"),
            "--protect");
  EXPECT_EQ(at(entry(printed.at("files"), "path", workspace + "/secret"), "/access"), "hidden");
  EXPECT_EQ(at(entry(printed.at("files"), "path", "/proc"), "/kind"), "proc");
  for (const char* limit :
       {"wall_time_ms", "cpu_time_ms", "memory_bytes", "processes", "open_files", "file_bytes",
        "output_bytes", "tmp_bytes", "core_bytes"}) {
    EXPECT_FALSE(entry(printed.at("limits"), "name", limit).is_null()) << limit;
  }
}

TEST(Explain, SaysWhoIsProcess1) {
  const Caller caller;
  const Answer init = caller.call({"explain", "--", guest()});
  EXPECT_THAT(init.out, HasSubstr("bawn's init is pid 1\n"));
  const Answer command = caller.call({"explain", "--as-pid-1", "--", guest()});
  EXPECT_THAT(
      command.out,
      HasSubstr("the command is pid 1; bawn's init is outside  (identity.as_pid_1: --as-pid-1)"));
  const Answer refused = caller.call({"explain", "--tier", "b", "--as-pid-1", "--", guest()});
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_THAT(refused.out, HasSubstr("identity.as_pid_1 needs tier c"));
}

TEST(Explain, OfTierBListsTheGrantsAndWhatLandlockCannotHold) {
  const Caller caller;
  const Answer answer = caller.call({"explain", "--json", "--tier", "b", "--", guest()});
  ASSERT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  const auto printed = printed_json(answer.out);
  const std::string workspace = std::filesystem::canonical(caller.workspace());
  EXPECT_EQ(at(entry(printed.at("files"), "path", workspace), "/kind"), "grant");
  EXPECT_EQ(at(entry(printed.at("files"), "path", "/usr"), "/access"), "read-only");
  EXPECT_EQ(at(printed, "/namespaces"), "[]");
  EXPECT_NE(at(printed, "/landlock/gaps/0/why"), "absent");
}

// After one --pass-env or --env, explain once gave that flag as the origin of every variable.
TEST(Explain, NamesForEachVariableWhoWantedIt) {
  Caller caller;
  const std::string policy = caller.file_outside(
      "p.json",
      R"({"extends": "workspace", "environment": {"pass": ["LANG", "MINE"], "set": {"CC": "cc"}}})");
  for (const char* name : {"LANG", "MINE", "OTHER"}) caller.set_variable(name, "C.UTF-8");
  const auto origins = [&](const Words& options) {
    const Answer answer =
        caller.call(joined({"explain", "--json", "--pass-env", "OTHER", "--env", "CXX=c++"},
                           joined(options, {"--", "true"})));
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    std::string text;
    const auto printed = printed_json(answer.out);
    for (const char* name : {"LANG", "MINE", "OTHER", "CC", "CXX"}) {
      const auto variable = entry(printed.at("environment"), "name", name);
      text += std::string(name) + " " + at(variable, "/origin/source") + "\n";
    }
    return text;
  };
  EXPECT_EQ(origins({}),
            "LANG preset workspace\nMINE absent\nOTHER --pass-env\nCC absent\nCXX --env\n");
  EXPECT_EQ(origins({"--policy", policy, "--pass-env", "MINE"}),
            "LANG " + policy + ":1:50\nMINE --pass-env\nOTHER --pass-env\nCC " + policy +
                ":1:75\nCXX --env\n");
}

// The command really gets the values, so only explain holds them back.
TEST(Explain, DoesNotPrintSecrets) {
  Caller caller;
  caller.set_variable("PASSED", "of-the-caller");
  const Words options = {"--tier", "b",        "--env",      "MY_TOKEN=sesame",
                         "--env",  "PLAIN=hi", "--pass-env", "PASSED"};
  for (const Words& format : {Words{}, Words{"--json"}}) {
    const Answer answer = caller.call(
        joined({"explain"}, joined(format, joined(options, {"--", guest(), "list-environment"}))));
    EXPECT_EQ(answer.exit_code, 0) << answer.err;
    EXPECT_THAT(answer.out, AllOf(HasSubstr("MY_TOKEN"), HasSubstr("PLAIN"), HasSubstr("hi"),
                                  HasSubstr("PASSED")));
    EXPECT_THAT(answer.out, AllOf(Not(HasSubstr("sesame")), Not(HasSubstr("of-the-caller"))));
  }
  const Answer real =
      caller.call(joined({"run"}, joined(options, {"--", guest(), "list-environment"})));
  EXPECT_THAT(real.out, AllOf(HasSubstr("MY_TOKEN=sesame\n"), HasSubstr("PASSED=of-the-caller\n")))
      << real.err;
}

TEST(Explain, AnswersADenialAsCheckDoes) {
  const Caller caller;
  for (const Words& format : {Words{}, Words{"--json"}}) {
    const Words words = joined(format, {"--mode", "agent", "--", "cat", "/etc/shadow"});
    const Answer explained = caller.call(joined({"explain"}, words));
    const Answer checked = caller.call(joined({"check"}, words));
    EXPECT_EQ(explained.exit_code, 126);
    EXPECT_EQ(explained.out, checked.out);
    EXPECT_THAT(explained.out, HasSubstr("executable.not_allowed"));
  }
}

TEST(Explain, ReadsARequestAndTellsWhatItMended) {
  const Caller caller;
  const Answer answer =
      caller.call({"explain", "--mode", "agent", "--allow-exec", "cat", "--request", "-"},
                  {.in = R"({"command":"cat","args":["cat","notes"],"timeout_ms":1000})"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("repaired: "),
                                testing::ContainsRegex("wall_time_ms +1000 +request")));
}

TEST(Explain, NeedsACommandAndKnowsOnlyItsOwnOptions) {
  const Caller caller;
  const Answer nothing = caller.call({"explain"});
  EXPECT_EQ(nothing.exit_code, 125);
  EXPECT_THAT(nothing.err, HasSubstr("bawn explain [options] -- CMD"));
  const Answer foreign = caller.call({"explain", "--timing", "--", "true"});
  EXPECT_EQ(foreign.exit_code, 125);
  EXPECT_THAT(foreign.err, HasSubstr("'--timing'"));
  EXPECT_EQ(caller.call({"explain", "--json=yes", "--", "true"}).exit_code, 125);
}

}  // namespace
}  // namespace bawn
