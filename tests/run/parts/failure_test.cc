#include "run/failure.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace bawn {
namespace {

TEST(NotStarted, SendsToTheDoctorOnlyForWhatTheHostLacks) {
  const Outcome lacking = not_started(unsupported_error("no namespaces"));
  EXPECT_EQ(lacking.error->hint, "'bawn doctor' tells who forbids it and what helps");
  for (const Error& error : {invalid_error("no namespaces"), system_error(EPERM, "clone3")}) {
    EXPECT_EQ(not_started(error).error->hint, "") << error.message;
  }
}

TEST(NotStarted, IsAFailureOfTheLaunchWithTheCauseAsItIs) {
  const Outcome outcome = not_started(invalid_error("the caller's file 0 is closed"));
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_EQ(outcome.error->kind, FailureKind::spawn_failed);
  EXPECT_EQ(outcome.error->step, "launch");
  EXPECT_EQ(outcome.error->message, "the caller's file 0 is closed");
}

TEST(NotExecutable, IsARefusalThatNamesTheFileBehindTheWord) {
  Plan plan;
  plan.program.argv = {"tool", "--all"};
  plan.program.file.path = "/usr/bin/tool";
  const Outcome outcome = not_executable(plan, "Exec format error", "name another");
  EXPECT_EQ(outcome.status, Status::denied);
  EXPECT_EQ(outcome.error->kind, FailureKind::invalid_input);
  const Violations expected = {{"executable.not_executable", "tool",
                                "'/usr/bin/tool' cannot be executed: Exec format error", "name another"}};
  EXPECT_EQ(outcome.violations, expected);
}

TEST(GivenUp, DoesNotClaimThatNothingRan) {
  const Outcome outcome = given_up(system_error(EIO, "epoll_wait"));
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_EQ(outcome.error->kind, FailureKind::runtime_failure);
  EXPECT_EQ(outcome.error->step, "") << "no step of the launch failed";
  EXPECT_NE(outcome.error->message.find("may have begun: epoll_wait: "), std::string::npos);
}

}  // namespace
}  // namespace bawn
