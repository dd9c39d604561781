// Reading profiles: a valid profile becomes a value, and every mistake is an error that names it.

#include "backend/linux/seccomp/profile.h"

#include <gtest/gtest.h>
#include <linux/seccomp.h>

#include <cerrno>

#include "profiles.h"

namespace bawn::linux_::test {
namespace {

using seccomp::Comparison;
using seccomp::parse_seccomp_profile;

TEST(SeccompProfile, IsReadAsWritten) {
  const auto result = parse_seccomp_profile(R"({
    "defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 38, // a comment
    "architectures": ["SCMP_ARCH_NATIVE"],
    "syscalls": [
      {"names": ["read", "write"], "action": "SCMP_ACT_ALLOW", "args": []},
      {"comment": "x", "names": ["ioctl"], "action": "SCMP_ACT_ERRNO",
       "args": [{"index": 1, "value": 18446744073709551615, "valueTwo": 7, "op": "SCMP_CMP_MASKED_EQ"},
                {"index": 2, "value": 3, "valueTwo": 0, "op": "SCMP_CMP_GE"}]}]})");
  ASSERT_TRUE(result.ok()) << result.error().message;
  const seccomp::SeccompProfile& profile = result.value();
  EXPECT_EQ(profile.default_action, SECCOMP_RET_ERRNO | ENOSYS);
  ASSERT_EQ(profile.rules.size(), 2U);
  EXPECT_EQ(profile.rules[0].names, (std::vector<std::string>{"read", "write"}));
  EXPECT_EQ(profile.rules[0].action, SECCOMP_RET_ALLOW);
  EXPECT_TRUE(profile.rules[0].conditions.empty());
  EXPECT_EQ(profile.rules[1].action, SECCOMP_RET_ERRNO | EPERM);  // OCI's default, if none is given
  ASSERT_EQ(profile.rules[1].conditions.size(), 2U);
  EXPECT_EQ(profile.rules[1].conditions[0],
            (seccomp::Condition{1, Comparison::masked_equal, 7, ~std::uint64_t{0}}));
  EXPECT_EQ(profile.rules[1].conditions[1].comparison, Comparison::greater_or_equal);
  EXPECT_EQ(profile.rules[1].conditions[1].value, 3U);
}

struct Wrong {
  const char* text;
  const char* message;  // must be part of the error
};

// `RULE` stands for a valid rule.
constexpr Wrong kWrong[] = {
    {"", "1:1"},
    {"[]", "expected an object"},
    {"{}", "'defaultAction' is missing"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW"})", "'syscalls' is missing"},
    {R"({"syscalls": [RULE]})", "'defaultAction' is missing"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": []})", "at least one rule"},
    {R"({"defaultAction": "SCMP_ACT_LOG", "syscalls": [RULE]})", "'SCMP_ACT_LOG' is not an action"},
    {R"({"defaultAction": "SCMP_ACT_NOTIFY", "syscalls": [RULE]})",
     "'SCMP_ACT_NOTIFY' is not an action"},
    {R"({"defaultAction": "", "syscalls": [RULE]})", "'' is not an action"},
    {R"({"defaultAction": 1, "syscalls": [RULE]})", "defaultAction: expected"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "defaultErrnoRet": 1, "syscalls": [RULE]})",
     "defaultErrnoRet: only"},
    {R"({"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 0, "syscalls": [RULE]})",
     "from 1 to 4095"},
    {R"({"defaultAction": "SCMP_ACT_ERRNO", "defaultErrnoRet": 4096, "syscalls": [RULE]})",
     "from 1 to 4095"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [RULE], "flags": []})",
     "unknown key 'flags'"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "architectures": [], "syscalls": [RULE]})",
     "SCMP_ARCH_NATIVE"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "architectures": ["SCMP_ARCH_NATIVE", "SCMP_ARCH_X86"], "syscalls": [RULE]})",
     "SCMP_ARCH_NATIVE"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [3]})", "syscalls[0]: expected an object"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [RULE, {"names": ["read"]}]})",
     "syscalls[1]: the key 'action' is missing"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"action": "SCMP_ACT_ALLOW"}]})",
     "'names' is missing"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": [], "action": "SCMP_ACT_KILL"}]})",
     "syscalls[0].names: expected at least one"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["raed"], "action": "SCMP_ACT_KILL"}]})",
     "syscalls[0].names[0]: 'raed'"},
    {R"({"defaultAction": "SCMP_ACT_KILL", "syscalls": [{"names": ["read", "raed"], "action": "SCMP_ACT_ALLOW"}]})",
     "syscalls[0].names[1]: 'raed'"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["read\u0000x"], "action": "SCMP_ACT_KILL"}]})",
     "is not a system call"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["read"], "action": "SCMP_ACT_KILL", "includes": {}}]})",
     "syscalls[0].includes: unknown key"},
    {R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [{"names": ["read"], "action": "SCMP_ACT_KILL", "args": {}}]})",
     "syscalls[0].args: expected an array"},
};

// The same for one condition.
constexpr Wrong kWrongConditions[] = {
    {R"({"value": 1, "op": "SCMP_CMP_EQ"})", "args[0]: the key 'index' is missing"},
    {R"({"index": 6, "value": 1, "op": "SCMP_CMP_EQ"})",
     "args[0].index: expected a whole number from 0 to 5"},
    {R"({"index": 0, "op": "SCMP_CMP_EQ"})", "'value' is missing"},
    {R"({"index": 0, "value": 1})", "'op' is missing"},
    {R"({"index": 0, "value": 1, "op": "SCMP_CMP_XX"})", "'SCMP_CMP_XX' is not a comparison"},
    {R"({"index": 0, "value": -1, "op": "SCMP_CMP_EQ"})", "64 bits, found -1"},
    {R"({"index": 0, "value": 1.5, "op": "SCMP_CMP_EQ"})", "64 bits, found 1.5"},
    {R"({"index": 0, "value": 18446744073709551616, "op": "SCMP_CMP_EQ"})", "64 bits"},
    {R"({"index": 0, "value": 1, "valueTwo": 1, "op": "SCMP_CMP_EQ"})", "valueTwo: only goes with"},
    {R"({"index": 0, "value": 1, "valueTwo": 2, "op": "SCMP_CMP_MASKED_EQ"})", "can never leave 2"},
    {R"({"index": 0, "value": 0, "valueTwo": 0, "op": "SCMP_CMP_MASKED_EQ"})", "the mask 0"},
    {R"({"index": 0, "value": 1, "op": "SCMP_CMP_EQ", "what": 1})", "args[0].what: unknown key"},
    {R"({"index": 0, "value": 1, "op": "SCMP_CMP_GT"}, {"index": 0, "value": 9, "op": "SCMP_CMP_LT"})",
     "argument 0 has two conditions"},
};

std::string with(std::string text, const std::string& placeholder, const std::string& value) {
  if (const auto at = text.find(placeholder); at != std::string::npos)
    text.replace(at, placeholder.size(), value);
  return text;
}

const std::string kRule = R"({"names": ["read"], "action": "SCMP_ACT_KILL_PROCESS"})";

void expect_problem(const std::string& text, const char* message) {
  const auto result = parse_seccomp_profile(text);
  ASSERT_FALSE(result.ok()) << text;
  EXPECT_EQ(result.error().kind, ErrorKind::invalid);
  EXPECT_NE(result.error().message.find(message), std::string::npos) << text << "\n"
                                                                     << result.error().message;
}

TEST(SeccompProfile, ThatIsWrongIsRefusedWithTheReason) {
  for (const Wrong& wrong : kWrong) expect_problem(with(wrong.text, "RULE", kRule), wrong.message);
}

TEST(SeccompProfile, AConditionThatIsWrongIsRefusedWithTheReason) {
  const std::string around = R"({"defaultAction": "SCMP_ACT_ALLOW", "syscalls": [
    {"names": ["read"], "action": "SCMP_ACT_KILL", "args": [CONDITION]}]})";
  for (const Wrong& wrong : kWrongConditions)
    expect_problem(with(around, "CONDITION", wrong.text), wrong.message);
  EXPECT_TRUE(parse_seccomp_profile(
                  with(around, "CONDITION", R"({"index": 0, "value": 1, "op": "SCMP_CMP_EQ"})"))
                  .ok());
}

TEST(SeccompProfile, EveryProblemIsReportedAtOnce) {
  const auto result = parse_seccomp_profile(
      R"({"defaultAction": "no", "syscalls": [{"names": ["nope"], "action": "never"}]})");
  ASSERT_FALSE(result.ok());
  for (const char* part : {"'no'", "'nope'", "'never'"})
    EXPECT_NE(result.error().message.find(part), std::string::npos) << result.error().message;
}

TEST(SeccompProfile, OfTheBuildIsRight) {
  for (const char* name : {"known", "tier_b", "no-network", "default", "strict", "no-lease",
                           "no-set-user-id", "no-set-id"})
    EXPECT_FALSE(profile(name).rules.empty());
}

}  // namespace
}  // namespace bawn::linux_::test
