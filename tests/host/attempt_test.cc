#include "host/attempt.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

namespace bawn {
namespace {

TEST(AttemptInChild, TellsThatItWorkedAndWithWhatNumber) {
  const Attempt attempt = attempt_in_child(0, [] { return worked_with(7); });
  EXPECT_TRUE(attempt.worked());
  EXPECT_EQ(attempt.number, 7);
}

TEST(AttemptInChild, TellsTheStepThatFailedAndWhy) {
  const Attempt attempt = attempt_in_child(0, [] {
    errno = EACCES;
    return failed_at("open the door");
  });
  EXPECT_FALSE(attempt.worked());
  EXPECT_EQ(describe(attempt), "open the door: Permission denied (EACCES)");
}

TEST(AttemptInChild, ThatDiesHasFailed) {
  const Attempt killed = attempt_in_child(0, [] {
    raise(SIGKILL);
    return Attempt{};
  });
  EXPECT_EQ(describe(killed), "the child died");
  const Attempt filtered = attempt_in_child(0, [] {
    raise(SIGSYS);
    return Attempt{};
  });
  EXPECT_EQ(describe(filtered), "the child was killed by a seccomp filter");
}

TEST(AttemptInChild, ChangesNothingHereAndLeavesNoProcess) {
  const Attempt attempt =
      attempt_in_child(0, [] { return chdir("/proc") == 0 ? Attempt{} : failed_at("chdir"); });
  EXPECT_TRUE(attempt.worked());
  char here[4096];
  ASSERT_NE(getcwd(here, sizeof here), nullptr);
  EXPECT_NE(std::string_view(here), "/proc");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(AttemptInChild, HasItsIdsInAUserNamespaceOfItsOwn) {
  static uid_t outside = geteuid();
  const Attempt attempt = attempt_in_child(
      CLONE_NEWUSER, [] { return geteuid() == outside ? worked_with(1) : without_effect("another id"); });
  EXPECT_EQ(describe(attempt), "works");
}

TEST(AttemptInChild, WithoutAChildFailsAtClone) {
  // The kernel knows no way to share memory handlers without sharing memory.
  const Attempt attempt = attempt_in_child(CLONE_SIGHAND, [] { return Attempt{}; });
  EXPECT_EQ(describe(attempt), "clone: Invalid argument (EINVAL)");
}

}  // namespace
}  // namespace bawn
