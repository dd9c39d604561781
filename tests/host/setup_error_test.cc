#include "host/setup_error.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <string>

namespace bawn {
namespace {

using enum SetupError;

NamespaceLimits all_of(long number) {
  NamespaceLimits limits;
  limits.fill(number);
  return limits;
}

NamespaceLimits without(std::string_view kind) {
  NamespaceLimits limits = all_of(10000);
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (kNamespaceNames[i] == kind) limits[i] = 0;
  }
  return limits;
}

SetupError clone_of_two(int error, const NamespaceLimits& limits) {
  return judge_new_namespaces(error, limits, {"user", "mnt"});
}

// One row for each errno, one column for each kind of step.
struct Row {
  int error;
  SetupError step;
  SetupError new_namespaces;  // if each limit is 10000
  SetupError cgroup;
};

TEST(SetupError, IsImpossibleOnlyWhereTheHostRefusesForGood) {
  for (const Row& row : {
           Row{EPERM, impossible, impossible, impossible},
           Row{EACCES, impossible, impossible, impossible},
           Row{ENOSYS, impossible, impossible, impossible},
           Row{EINVAL, impossible, impossible, impossible},
           Row{ENODEV, impossible, impossible, impossible},
           Row{EROFS, impossible, impossible, impossible},
           Row{EAGAIN, transient, transient, transient},
           Row{EMFILE, transient, transient, transient},
           Row{ENFILE, transient, transient, transient},
           Row{ENOMEM, transient, transient, transient},
           Row{ENOSPC, transient, transient, transient},
           Row{EUSERS, transient, transient, transient},
           Row{ENOENT, unclear, unclear, impossible},
           Row{EBUSY, unclear, unclear, impossible},
           Row{EOPNOTSUPP, unclear, unclear, impossible},
           Row{0, unclear, unclear, impossible},
           Row{EIO, unclear, unclear, unclear},
           Row{EINTR, unclear, unclear, unclear},
           Row{ESRCH, unclear, unclear, unclear},
           Row{EEXIST, unclear, unclear, unclear},
           Row{ETIMEDOUT, unclear, unclear, unclear},
       }) {
    EXPECT_EQ(judge_setup_error(row.error), row.step) << errno_text(row.error);
    EXPECT_EQ(clone_of_two(row.error, all_of(10000)), row.new_namespaces) << errno_text(row.error);
    EXPECT_EQ(judge_cgroup(row.error), row.cgroup) << errno_text(row.error);
  }
}

TEST(SetupError, OfTooManyNamespacesIsImpossibleWhereNoneAreAllowed) {
  for (const int error : {ENOSPC, EUSERS}) {
    EXPECT_EQ(clone_of_two(error, without("user")), impossible);
    EXPECT_EQ(clone_of_two(error, without("mnt")), impossible);
    EXPECT_EQ(clone_of_two(error, without("net")), transient) << "none of that kind was asked for";
    EXPECT_EQ(clone_of_two(error, all_of(1)), transient) << "they may all be in use";
    EXPECT_EQ(clone_of_two(error, {}), transient) << "a limit that cannot be read is no proof";
  }
  EXPECT_EQ(clone_of_two(EAGAIN, without("user")), transient) << "the limit answers otherwise";
}

TEST(SetupError, MakesAnErrorUnsupportedOnlyIfItIsImpossible) {
  const Error error = system_error(EPERM, "clone");
  EXPECT_EQ(judged(error, impossible).kind, ErrorKind::unsupported);
  EXPECT_EQ(judged(error, transient).kind, ErrorKind::system);
  EXPECT_EQ(judged(error, unclear).kind, ErrorKind::system);
  EXPECT_EQ(judged(error, impossible).message, error.message);
}

TEST(SetupError, HasAHintForEachShortage) {
  for (const int error : {EAGAIN, EMFILE, ENFILE, ENOMEM, ENOSPC, EUSERS}) {
    EXPECT_NE(shortage_hint(error).find("try again"), std::string_view::npos) << errno_text(error);
    EXPECT_NE(cgroup_shortage_hint(error).find("try again"), std::string_view::npos)
        << errno_text(error);
  }
  for (const int error : {0, EPERM, ENOSYS, EIO}) EXPECT_EQ(shortage_hint(error), "");
}

TEST(JudgeIdmap, TellsAMountThatCanHaveNoMapFromAShortage) {
  for (const int error : {EINVAL, EPERM, ENOSYS})
    EXPECT_EQ(judge_idmap(error), SetupError::impossible) << errno_text(error);
  for (const int error : {ENOMEM, EMFILE, ENFILE, EIO, EBADF, ENOSPC, EAGAIN, EBUSY})
    EXPECT_EQ(judge_idmap(error), SetupError::transient) << errno_text(error);
}

TEST(NamespaceLimits, AreReadFromTheKernel) {
  const NamespaceLimits limits = read_namespace_limits();
  for (const std::string_view kind : kNamespaceNames) EXPECT_TRUE(limit_of(limits, kind)) << kind;
  EXPECT_EQ(limit_of(limits, "time"), std::nullopt);
}

}  // namespace
}  // namespace bawn
