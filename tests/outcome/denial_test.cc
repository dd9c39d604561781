#include "outcome/denial.h"

#include <gtest/gtest.h>

namespace bawn {
namespace {

Violations with_codes(const std::vector<std::string>& codes) {
  Violations out;
  for (const std::string& code : codes)
    out.push_back({code, "s", "message of " + code, "hint of " + code});
  return out;
}

FailureKind kind(const std::vector<std::string>& codes) { return denial_kind(with_codes(codes)); }

TEST(DenialKind, FollowsTheFamilyOfTheCode) {
  EXPECT_EQ(kind({"path.outside_scope"}), FailureKind::workspace_scope_denied);
  EXPECT_EQ(kind({"cwd.missing"}), FailureKind::workspace_scope_denied);
  EXPECT_EQ(kind({"workspace.missing"}), FailureKind::workspace_scope_denied);
  EXPECT_EQ(kind({"egress.host_not_allowed"}), FailureKind::egress_denied);
  EXPECT_EQ(kind({"tier.floor"}), FailureKind::unsupported_platform);
  EXPECT_EQ(kind({"limit.memory"}), FailureKind::unsupported_platform);
  EXPECT_EQ(kind({"landlock.absent"}), FailureKind::unsupported_platform);
  EXPECT_EQ(kind({"executable.not_allowed"}), FailureKind::invalid_input);
  EXPECT_EQ(kind({"pathological"}), FailureKind::invalid_input);
  EXPECT_EQ(kind({}), FailureKind::invalid_input);
}

TEST(DenialKind, PrefersWhatTheRequestDidOverWhatTheHostLacks) {
  EXPECT_EQ(kind({"tier.floor", "egress.x", "executable.x", "path.x"}),
            FailureKind::workspace_scope_denied);
  EXPECT_EQ(kind({"tier.floor", "executable.x", "egress.x"}), FailureKind::egress_denied);
  EXPECT_EQ(kind({"tier.floor", "executable.x"}), FailureKind::invalid_input);
}

TEST(DeniedOutcome, CarriesEveryViolationAndTheFirstAsItsError) {
  const Outcome outcome =
      denied_outcome("r1", with_codes({"executable.a", "path.b", "path.c"}), {"mended"});
  EXPECT_EQ(outcome.run_id, "r1");
  EXPECT_EQ(outcome.status, Status::denied);
  ASSERT_TRUE(outcome.error.has_value());
  EXPECT_EQ(outcome.error->kind, FailureKind::workspace_scope_denied);
  EXPECT_EQ(outcome.error->message, "message of executable.a (and 2 more violations)");
  EXPECT_EQ(outcome.error->hint, "hint of executable.a");
  EXPECT_EQ(outcome.violations.size(), 3U);
  EXPECT_EQ(outcome.repairs, std::vector<std::string>{"mended"});
  EXPECT_FALSE(outcome.success());
  EXPECT_FALSE(outcome.was_sandboxed);
  EXPECT_EQ(denied_outcome("r", with_codes({"a.b"})).error->message, "message of a.b");
  EXPECT_EQ(denied_outcome("r", with_codes({"a.b", "a.c"})).error->message,
            "message of a.b (and 1 more violation)");
}

TEST(DeniedOutcome, StaysADenialWithoutAnyViolation) {
  const Outcome outcome = denied_outcome("r", {});
  EXPECT_EQ(outcome.status, Status::denied);
  EXPECT_EQ(exit_code_of(outcome), 126);
  EXPECT_FALSE(outcome.error->message.empty());
}

TEST(InvalidRequestOutcome, NamesPathAndPositionOfEachProblem) {
  const Outcome outcome = invalid_request_outcome(
      {{"args[1]", 3, 14, "expected a string", "write \"1\""}, {"cwd", 0, 0, "too long", ""}});
  EXPECT_EQ(outcome.status, Status::denied);
  EXPECT_EQ(outcome.error->kind, FailureKind::invalid_input);
  EXPECT_EQ(outcome.run_id, "");
  EXPECT_EQ(outcome.violations, (Violations{{"request.invalid", "args[1]",
                                             "line 3, column 14: expected a string", "write \"1\""},
                                            {"request.invalid", "cwd", "too long", ""}}));
}

TEST(FailedOutcome, NamesTheStep) {
  const Outcome outcome = failed_outcome("r", FailureKind::spawn_failed, "m", "apply limits", "h");
  EXPECT_EQ(outcome.status, Status::failed);
  EXPECT_EQ(outcome.error, (Failure{FailureKind::spawn_failed, "m", "apply limits", "h"}));
  EXPECT_EQ(exit_code_of(outcome), 125);
}

}  // namespace
}  // namespace bawn
