#include "doctor/trial.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <string_view>

namespace bawn {
namespace {

TEST(TryInChild, TellsThatItWorkedAndWithWhatNumber) {
  const Trial trial = try_in_child(0, [] { return worked_with(7); });
  EXPECT_TRUE(trial.worked());
  EXPECT_EQ(trial.number, 7);
}

TEST(TryInChild, TellsTheStepThatFailedAndWhy) {
  const Trial trial = try_in_child(0, [] {
    errno = EACCES;
    return failed_at("open the door");
  });
  EXPECT_FALSE(trial.worked());
  EXPECT_EQ(describe(trial), "open the door: Permission denied (EACCES)");
}

TEST(TryInChild, ThatDiesHasFailed) {
  const Trial killed = try_in_child(0, [] {
    raise(SIGKILL);
    return Trial{};
  });
  EXPECT_EQ(describe(killed), "the child died");
  const Trial filtered = try_in_child(0, [] {
    raise(SIGSYS);
    return Trial{};
  });
  EXPECT_EQ(describe(filtered), "the child was killed by a seccomp filter");
}

TEST(TryInChild, ChangesNothingHereAndLeavesNoProcess) {
  const Trial trial =
      try_in_child(0, [] { return chdir("/proc") == 0 ? Trial{} : failed_at("chdir"); });
  EXPECT_TRUE(trial.worked());
  char here[4096];
  ASSERT_NE(getcwd(here, sizeof here), nullptr);
  EXPECT_NE(std::string_view(here), "/proc");
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(TryInChild, HasItsIdsInAUserNamespaceOfItsOwn) {
  static uid_t outside = geteuid();
  const Trial trial = try_in_child(CLONE_NEWUSER, [] {
    return geteuid() == outside ? worked_with(1) : without_effect("another id");
  });
  EXPECT_EQ(describe(trial), "works");
}

TEST(TryInChild, WithoutAChildFailsAtClone) {
  // The kernel refuses CLONE_SIGHAND without CLONE_VM.
  const Trial trial = try_in_child(CLONE_SIGHAND, [] { return Trial{}; });
  EXPECT_EQ(describe(trial), "clone: Invalid argument (EINVAL)");
}

}  // namespace
}  // namespace bawn
