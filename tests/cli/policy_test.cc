// `bawn policy`, and what the other subcommands say about policies that cannot be used.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kPresets[] = {"workspace",        "agent",   "basic", "strict",
                                    "network-isolated", "disabled"};

// A file with four mistakes, on lines 2, 3, 4 and 5.
constexpr std::string_view kBroken = R"({
  "extnds": "agent",
  "limits": {"wall_time_ms": -1},
  "egress": {"mode": "sometimes"},
  "executables": {"allow": [""]}
}
)";

TEST(PolicyCommand, ListsThePresets) {
  const Caller caller;
  const Answer answer = caller.call({"policy"});
  EXPECT_EQ(answer.exit_code, 0);
  for (const char* name : kPresets) EXPECT_THAT(answer.out, HasSubstr(name));
}

TEST(PolicyCommand, ShowsEveryPresetAndReadsItBack) {
  const Caller caller;
  for (const std::string name : kPresets) {
    const Answer shown = caller.call({"policy", "show", name});
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    const std::string file = caller.file_outside(name, shown.out);
    const Answer again = caller.call({"policy", "show", file});
    EXPECT_EQ(again.exit_code, 0) << name << ": " << again.err;
  }
}

TEST(PolicyCommand, ShowsWhereEachValueComesFrom) {
  const Caller caller;
  const std::string file = caller.file_outside("p.json", R"({"limits": {"wall_time_ms": 1234}})");
  const Answer shown = caller.call({"policy", "show", file});
  EXPECT_THAT(shown.out,
              AllOf(HasSubstr("1234"), HasSubstr(file + ":1:"), HasSubstr("preset agent")));
}

TEST(PolicyCommand, PrintsASchemaThatIsJson) {
  const Caller caller;
  const Answer answer = caller.call({"policy", "schema"});
  EXPECT_EQ(answer.exit_code, 0);
  const auto schema = nlohmann::json::parse(answer.out, nullptr, false);
  EXPECT_EQ(at(schema, "/$schema"), "https://json-schema.org/draft/2020-12/schema");
}

TEST(PolicyCommand, LintRemarksWhatIsProbablyNotMeant) {
  const Caller caller;
  const std::string odd =
      caller.file_outside("odd.json", R"({"executables": {"allow": ["ls"], "block": ["ls"]}})");
  const Answer answer = caller.call({"policy", "lint", odd});
  EXPECT_EQ(answer.exit_code, 126) << answer.out;
  EXPECT_THAT(answer.out, HasSubstr(odd));
  const std::string plain =
      caller.file_outside("plain.json", R"({"executables": {"allow": ["ls"]}})");
  const Answer fine = caller.call({"policy", "lint", plain});
  EXPECT_EQ(fine.exit_code, 0) << fine.out << fine.err;
}

TEST(PolicyCommand, SuggestsThePresetThatWasMeant) {
  const Caller caller;
  for (const char* action : {"show", "lint"}) {
    const Answer answer = caller.call({"policy", action, "stict"});
    EXPECT_EQ(answer.exit_code, 125);
    EXPECT_THAT(answer.err, AllOf(HasSubstr("'stict'"), HasSubstr("did you mean 'strict'?")));
  }
}

TEST(PolicyCommand, NamesThePresetsIfNoneIsGiven) {
  const Caller caller;
  const Answer answer = caller.call({"policy", "show", "nope"});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("'nope'"), Not(HasSubstr("did you mean"))));
  for (const char* name : kPresets) EXPECT_THAT(answer.err, HasSubstr(name));
}

TEST(PolicyCommand, SuggestsTheActionThatWasMeant) {
  const Caller caller;
  const Answer answer = caller.call({"policy", "shwo", "agent"});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, AllOf(HasSubstr("'shwo'"), HasSubstr("did you mean 'show'?")));
}

TEST(PolicyFile, ThatIsBrokenIsRefusedWithThePlaceOfEveryMistake) {
  const Caller caller;
  const std::string file = caller.file_outside("broken.json", kBroken);
  const Words lines[] = {{"policy", "show", file},
                         {"policy", "lint", file},
                         {"run", "--policy", file, "--", guest(), "create", "observer"},
                         {"check", "--policy", file, "--", "true"},
                         {"exec", "--policy", file}};
  for (const Words& words : lines) {
    const Answer answer = caller.call(words);
    EXPECT_EQ(answer.exit_code, 125) << words.front();
    for (const char* place : {":2:", ":3:", ":4:", ":5:"})
      EXPECT_THAT(answer.err, HasSubstr(file + place));
    EXPECT_THAT(answer.err, HasSubstr("extends")) << "the nearest valid key";
  }
  EXPECT_NE(access((caller.workspace() + "/observer").c_str(), F_OK), 0);
}

// The name was once printed raw, so a terminal obeyed its control characters. A newline in it ended
// the comment that names an origin.
TEST(PolicyFile, WithControlCharactersInItsNameIsQuoted) {
  const Caller caller;
  const std::string broken = caller.file_outside("p\x1b[31m", kBroken);
  const std::string fine = caller.file_outside(
      "q\x1b[31m\nr", R"({"executables": {"allow": ["ls"]}, "limits": {"wall_time_ms": 1234}})");
  for (const Words& words : {Words{"run", "--policy", broken, "--", "true"},
                             {"policy", "lint", broken},
                             {"policy", "show", broken},
                             {"policy", "lint", fine},
                             {"policy", "show", fine},
                             {"explain", "--policy", fine, "--", "ls"}}) {
    const Answer answer = caller.call(words);
    EXPECT_THAT(answer.out + answer.err, AllOf(Not(HasSubstr("\x1b")), HasSubstr("\\x1b[31m")))
        << testing::PrintToString(words);
  }
  const std::string again = caller.file_outside("again", caller.call({"policy", "show", fine}).out);
  EXPECT_EQ(caller.call({"policy", "show", again}).exit_code, 0);
}

TEST(PolicyFile, ThatCannotBeReadIsNamedWithTheReason) {
  const Caller caller;
  const Answer missing = caller.call({"run", "--policy", "/no/such/policy", "--", "true"});
  EXPECT_THAT(missing.err, AllOf(HasSubstr("--policy"), HasSubstr("'/no/such/policy'"),
                                 HasSubstr("No such file")));
  const Answer directory = caller.call({"run", "--policy", "/", "--", "true"});
  EXPECT_THAT(directory.err, AllOf(HasSubstr("'/'"), HasSubstr("directory")));
}

TEST(PolicyFile, ThatTheUserMayNotReadIsNamedWithTheReason) {
  if (getuid() == 0) GTEST_SKIP() << "root may read every file";
  const Caller caller;
  const std::string file = caller.file_outside("secret.json", "{}");
  chmod(file.c_str(), 0);
  const Answer answer = caller.call({"run", "--policy", file, "--", "true"});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, AllOf(HasSubstr(file), HasSubstr("Permission denied")));
}

TEST(PolicyFile, ThatIsTooLongIsRefused) {
  const Caller caller;
  const std::string file = caller.file_outside("long.json", "{}" + std::string(1 << 20, ' '));
  const Answer answer = caller.call({"run", "--policy", file, "--", "true"});
  EXPECT_EQ(answer.exit_code, 125);
  EXPECT_THAT(answer.err, AllOf(HasSubstr(file), HasSubstr("bytes")));
}

TEST(PolicyFile, ChoosesTheTierUnlessAFlagDoes) {
  const Caller caller;
  const std::string b = caller.file_outside(
      "b.json", R"({"extends": "workspace", "tier": {"use": "b", "floor": "b"}})");
  const auto tier_of = [&](const Words& options) {
    const Answer answer =
        caller.call(joined(joined({"run", "--json"}, options), {"--", guest(), "exit", "0"}));
    return at(printed_json(answer.out), "/tier");
  };
  EXPECT_EQ(tier_of({}), "c") << "the strongest there is";
  EXPECT_EQ(tier_of({"--policy", b}), "b");
  EXPECT_EQ(tier_of({"--policy", b, "--tier", "c"}), "c");
  EXPECT_EQ(tier_of({"--tier", "b"}), "b");

  const std::string process = caller.file_outside(
      "process.json",
      R"({"extends": "workspace", "tier": {"use": "process", "floor": "process"}})");
  EXPECT_EQ(tier_of({"--policy", process}), "b");
  EXPECT_EQ(tier_of({"--policy", process, "--tier", "namespaces"}), "c");
}

}  // namespace
}  // namespace bawn
