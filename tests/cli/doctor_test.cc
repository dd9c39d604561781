// `bawn doctor`: its report about this host, and about one that refuses user namespaces.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../forbid_user_namespaces.h"
#include "caller.h"
#include "printed_json.h"

namespace bawn {
namespace {

using testing::AllOf;
using testing::HasSubstr;

TEST(DoctorCommand, TellsPeopleWhatWorks) {
  const Caller caller;
  const Answer answer = caller.call({"doctor"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out;
  EXPECT_EQ(answer.err, "");
  EXPECT_THAT(answer.out, AllOf(HasSubstr("ok    user-namespace"), HasSubstr("\ntier c works\n"),
                                HasSubstr("What tier c promises on this host:\n")));
}

TEST(DoctorCommand, TellsProgramsTheSame) {
  const Caller caller;
  const Answer answer = caller.call({"doctor", "--json"});
  EXPECT_EQ(answer.exit_code, 0) << answer.out;
  const auto report = printed_json(answer.out);
  EXPECT_EQ(at(report, "/schema"), "bawn.doctor.v1");
  EXPECT_EQ(at(report, "/tiers/c/works"), "true");
  EXPECT_EQ(at(report, "/findings/0/name"), "user-namespace");
}

TEST(DoctorCommand, ExitsWithOneWhereTierCDoesNotWork) {
  const Caller caller;  // the child leaves by _exit() and removes nothing
  const pid_t child = fork();
  if (child == 0) {
    if (!forbid_user_namespaces()) _exit(200);
    const Answer answer = caller.call({"doctor"});
    const bool named = answer.out.find("no    user-namespace") != std::string::npos &&
                       answer.out.find("tier c does not work here") != std::string::npos;
    _exit(named ? answer.exit_code.value_or(201) : 202);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

TEST(DoctorCommand, RefusesWordsItDoesNotKnow) {
  const Caller caller;
  for (const Words& words :
       {Words{"doctor", "--jsn"}, Words{"doctor", "--json", "more"}, Words{"doctor", "x"}}) {
    const Answer answer = caller.call(words);
    EXPECT_EQ(answer.exit_code, 125) << words.back();
    EXPECT_THAT(answer.err,
                AllOf(HasSubstr("'" + words.back() + "'"), HasSubstr("bawn doctor [--json]")));
    EXPECT_EQ(answer.out, "");
  }
}

// A second '--json' was once reported as an unknown option.
TEST(DoctorCommand, TakesItsSwitchTwiceAsOtherSubcommandsDo) {
  const Caller caller;
  const Answer answer = caller.call({"doctor", "--json", "--json"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(at(printed_json(answer.out), "/schema"), "bawn.doctor.v1");
}

TEST(DoctorCommand, HasHelp) {
  const Caller caller;
  EXPECT_THAT(caller.call({"doctor", "--help"}).out,
              HasSubstr("Exits 0 if tier c (namespaces) works, 1 if it does not"));
  EXPECT_THAT(caller.call({"--help"}).out, HasSubstr("bawn doctor  [--json]"));
}

}  // namespace
}  // namespace bawn
