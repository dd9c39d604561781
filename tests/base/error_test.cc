#include "base/error.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "base/result.h"

namespace bawn {
namespace {

Result<int> fails() { return system_error(ENOENT, "open '/x'"); }

Result<int> passes_on() {
  BAWN_ASSIGN(const int value, fails());
  return value + 1;
}

TEST(Error, NamesTheCallTheTextAndTheErrno) {
  EXPECT_EQ(system_error(ENOENT, "open '/x'").message,
            "open '/x': No such file or directory (ENOENT)");
}

TEST(Error, KeepsNumberAndKindWhenContextIsAdded) {
  const Error error = system_error(EPERM, "mount").within("apply mounts");
  EXPECT_EQ(error.message, "apply mounts: mount: Operation not permitted (EPERM)");
  EXPECT_EQ(error.sys_errno, EPERM);
  EXPECT_EQ(error.kind, ErrorKind::system);
}

TEST(Error, UnknownNumbersAreShownAsNumbers) {
  EXPECT_EQ(errno_text(99999), "error 99999");
  EXPECT_EQ(errno_name(99999), "error 99999");
}

TEST(Error, KnownNumbersHaveANameAndAText) {
  EXPECT_EQ(errno_name(ENOENT), "ENOENT");
  EXPECT_EQ(errno_text(ENOENT), "No such file or directory (ENOENT)");
}

TEST(Result, AssignReturnsTheErrorOfItsExpression) {
  const Result<int> result = passes_on();
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().sys_errno, ENOENT);
}

}  // namespace
}  // namespace bawn
