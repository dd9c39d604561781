#include "run/record/failure.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace bawn {
namespace {

TEST(NotStarted, SendsToTheDoctorOnlyForWhatTheHostLacks) {
  const auto failure = [](std::string hint) {
    return Failure{FailureKind::spawn_failed, "no namespaces", "launch", std::move(hint)};
  };
  EXPECT_EQ(not_started(unsupported_error("no namespaces")).error,
            failure("'bawn doctor' tells who forbids it and what helps"));
  EXPECT_EQ(not_started(invalid_error("no namespaces")).error, failure(""));
  EXPECT_EQ(not_started({ErrorKind::system, EPERM, "no namespaces"}).error, failure(""));
  EXPECT_EQ(not_started({}).status, Status::failed);
}

TEST(NotExecutable, IsARefusalThatNamesTheFileBehindTheWord) {
  Plan plan;
  plan.program.argv = {"tool", "--all"};
  plan.program.file.path = "/usr/bin/tool";
  const Outcome outcome = not_executable(plan, "Exec format error", "name another");
  EXPECT_EQ(outcome.status, Status::denied);
  const Violations expected = {{"executable.not_executable", "tool",
                                "'/usr/bin/tool' cannot be executed: Exec format error",
                                "name another"}};
  EXPECT_EQ(outcome.violations, expected);
}

TEST(GivenUp, DoesNotClaimThatNothingRanNorThatAStepOfTheLaunchFailed) {
  const Outcome outcome = given_up(invalid_error("no epoll"));
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_EQ(
      outcome.error,
      (Failure{
          FailureKind::runtime_failure,
          "the run was ended because bawn could not supervise it, and may have begun: no epoll", "",
          ""}));
}

}  // namespace
}  // namespace bawn
