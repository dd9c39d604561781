#include "backend/windows/syntax/batch_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "policy/executables_policy.h"

namespace bawn::windows {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> codes(const ExecutablesPolicy& policy, Tier tier, std::string_view program,
                               const std::vector<std::string>& args) {
  std::vector<std::string> out;
  for (const Violation& violation : judge_batch(policy, tier, program, args))
    out.push_back(violation.code);
  return out;
}

ExecutablesPolicy consenting() {
  ExecutablesPolicy policy;
  policy.interpreters = true;
  return policy;
}

TEST(BatchRules, ABatchFileNeedsConsentInASandbox) {
  EXPECT_THAT(codes({}, Tier::b, "/c/x.cmd", {}), ElementsAre("executable.interpreter"));
  EXPECT_THAT(codes(consenting(), Tier::b, "/c/x.cmd", {}), IsEmpty());
  EXPECT_THAT(codes({}, Tier::unconfined, "/c/x.cmd", {}), IsEmpty());
}

TEST(BatchRules, EveryWordThatWouldBeCodeIsNamed) {
  EXPECT_THAT(codes(consenting(), Tier::b, "/c/x.bat", {"plain", "a&b", "%x%"}),
              ElementsAre("argument.reinterpreted", "argument.reinterpreted"));
  EXPECT_THAT(codes({}, Tier::unconfined, "/c/x.bat", {"a&b"}),
              ElementsAre("argument.reinterpreted"));
}

TEST(BatchRules, TheProcessorItselfMayGetCodeButNoQuotes) {
  EXPECT_THAT(
      codes(consenting(), Tier::b, "/c/windows/system32/cmd.exe", {"/c", "echo a & echo %x%"}),
      IsEmpty());
  EXPECT_THAT(codes(consenting(), Tier::b, "/c/windows/system32/cmd.exe", {"/c", "echo \"a\""}),
              ElementsAre("argument.reinterpreted"));
}

TEST(BatchRules, OtherProgramsAreNotItsAffair) {
  EXPECT_THAT(codes({}, Tier::b, "/c/x.exe", {"a&b", "\"", "%x%"}), IsEmpty());
}

}  // namespace
}  // namespace bawn::windows
