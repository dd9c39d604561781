#include "backend/windows/syntax/environment.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bawn::windows {
namespace {

using testing::ElementsAre;

std::optional<std::string> caller(std::string_view name) {
  if (name == "SystemRoot") return "C:\\Windows";
  if (name == "SECRET") return "x";
  return std::nullopt;
}
const auto kNobody = [](std::string_view) { return std::optional<std::string>(); };

std::vector<std::string> native(const std::vector<std::string>& portable,
                                const CallerVariable& from) {
  return native_environment(portable, from);
}

TEST(Environment, PathsAreNative) {
  EXPECT_THAT(
      native({"HOME=/c/w", "PATH=/c/Windows/System32:/usr/bin:/c/Windows", "TMPDIR=/c/t"}, kNobody),
      ElementsAre("HOME=C:\\w", "PATH=C:\\Windows\\System32;C:\\Windows", "TEMP=C:\\t", "TMP=C:\\t",
                  "USERPROFILE=C:\\w"));
}

TEST(Environment, OfTheCallerOnlyTheSystemsOwnNamesComeAlong) {
  EXPECT_THAT(native({"A=1"}, caller), ElementsAre("A=1", "SystemRoot=C:\\Windows"));
}

TEST(Environment, WhereWindowsIsCannotBeChangedByAnotherSpelling) {
  EXPECT_THAT(native({"SYSTEMROOT=C:\\evil"}, caller), ElementsAre("SystemRoot=C:\\Windows"));
}

TEST(Environment, NamesAreInTheOrderThatWindowsKeeps) {
  EXPECT_THAT(native({"b=2", "A=1", "C=3"}, kNobody), ElementsAre("A=1", "b=2", "C=3"));
}

}  // namespace
}  // namespace bawn::windows
