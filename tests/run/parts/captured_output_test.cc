#include "run/record/captured_output.h"

#include <gtest/gtest.h>

#include <tuple>

#include "policy/policy.h"

namespace bawn {
namespace {

std::string filtered(ByteFilter* filter, std::string_view text) {
  std::string out;
  filter->feed(text, out);
  filter->finish(out);
  return out;
}

Outcome written(const PumpedStream& out, const PumpedStream& err) {
  Outcome outcome;
  CapturedOutput(Policy{}, {}).write(out, err, outcome);
  return outcome;
}

TEST(CapturedOutput, RemovesWhatThePolicyCallsASecret) {
  Policy policy;
  policy.redaction.secrets = {"open sesame"};
  CapturedOutput record(policy, {});
  EXPECT_EQ(filtered(record.stdout_filter(), "open sesame"), "[redacted:literal]");
  EXPECT_EQ(filtered(record.stderr_filter(), "open sesame"), "[redacted:literal]");
}

TEST(CapturedOutput, RemovesTheCredentialsThatThePolicySetsOrPassesOn) {
  Policy policy;
  policy.environment.set = {
      {"API_TOKEN", "swordfish"}, {"EDITOR", "nano-editor"}, {"EMPTY_TOKEN", ""}};
  policy.environment.pass = {"DEPLOY_KEY", "LANG", "MISSING_KEY"};
  const std::vector<std::string> environment = {"API_TOKEN=swordfish", "EDITOR=nano-editor",
                                                "EMPTY_TOKEN=",        "DEPLOY_KEY=a=sea-trout",
                                                "LANG=en_IE.UTF-8",    "SESSION_KEY=smoked-haddock",
                                                "MISSING=herring"};
  CapturedOutput record(policy, environment);
  EXPECT_EQ(filtered(record.stdout_filter(),
                     "swordfish, a=sea-trout, nano-editor, en_IE.UTF-8, smoked-haddock"),
            "[redacted:literal], [redacted:literal], nano-editor, en_IE.UTF-8, smoked-haddock");
}

// A terminal ends lines in \r\n, and a key of several lines once came through whole.
TEST(CapturedOutput, RemovesASecretOfSeveralLinesAsATerminalShowsItToo) {
  Policy policy;
  policy.redaction.secrets = {"open\nsesame\n"};
  policy.environment.pass = {"SIGNING_TOKEN"};
  const std::vector<std::string> environment = {"SIGNING_TOKEN=sword\nfish"};
  CapturedOutput record(policy, environment);
  EXPECT_EQ(filtered(record.stdout_filter(), "sword\nfish sword\r\nfish open\r\nsesame\r\n"),
            "[redacted:literal] [redacted:literal] [redacted:literal]\r\n");
  EXPECT_EQ(filtered(record.stderr_filter(), "sword\r\nor fish\r\n"), "sword\r\nor fish\r\n");
}

TEST(CapturedOutput, LeavesSwitchesAndSmallNumbersAlone) {
  Policy policy;
  policy.environment.pass = {"TOKENIZERS_PARALLELISM", "MAX_TOKENS", "API_TOKEN"};
  const std::vector<std::string> environment = {"TOKENIZERS_PARALLELISM=True", "MAX_TOKENS=100000",
                                                "API_TOKEN=31415926"};
  CapturedOutput record(policy, environment);
  EXPECT_EQ(filtered(record.stdout_filter(), "True 100000 31415926"),
            "True 100000 [redacted:literal]");
}

TEST(CapturedOutput, LeavesSettingsAloneWhoseNamesOnlySoundLikeCredentials) {
  Policy policy;
  policy.environment.set = {{"SSL_CERT_FILE", "/etc/ssl/ca.crt"}, {"SORT_KEY", "main"}};
  policy.environment.pass = {"XDG_SESSION_TYPE", "API_KEY", "DB_PASSWORD"};
  const std::vector<std::string> environment = {"SSL_CERT_FILE=/etc/ssl/ca.crt", "SORT_KEY=main",
                                                "XDG_SESSION_TYPE=wayland", "API_KEY=long-enough",
                                                "DB_PASSWORD=hunter"};
  CapturedOutput record(policy, environment);
  EXPECT_EQ(filtered(record.stdout_filter(), "/etc/ssl/ca.crt main wayland long-enough hunter"),
            "/etc/ssl/ca.crt main wayland [redacted:literal] [redacted:literal]");
}

TEST(CapturedOutput, HasNoFilterIfThePolicyWantsTheBytesAsTheyAre) {
  Policy policy;
  policy.redaction = {.enabled = false, .secrets = {"swordfish"}};
  CapturedOutput record(policy, {});
  EXPECT_EQ(record.stdout_filter(), nullptr);
  EXPECT_EQ(record.stderr_filter(), nullptr);
}

TEST(CapturedOutput, CountsTheSecretsOfBothStreamsTogether) {
  Policy policy;
  policy.redaction.secrets = {"swordfish"};
  CapturedOutput record(policy, {});
  std::ignore = filtered(record.stdout_filter(), "swordfish swordfish");
  std::ignore = filtered(record.stderr_filter(), "swordfish ftp://me:hidden-word@host/");
  Outcome outcome;
  record.write({}, {}, outcome);
  const std::map<std::string, std::uint64_t> expected = {{"literal", 3}, {"url_userinfo", 1}};
  EXPECT_EQ(outcome.redactions, expected);
}

TEST(CapturedOutput, OneStreamsBeginningIsNotTheOthersEnd) {
  Policy policy;
  policy.redaction.secrets = {"swordfish"};
  CapturedOutput record(policy, {});
  std::string out;
  std::string err;
  record.stdout_filter()->feed("sword", out);
  record.stderr_filter()->feed("fish\n", err);
  record.stdout_filter()->feed("fish\n", out);
  EXPECT_EQ(out, "[redacted:literal]\n");
  EXPECT_EQ(err, "fish\n");
}

TEST(CapturedOutput, IsTextOrBase64ForEachStreamByItself) {
  const Outcome outcome = written({.kept = "grün", .bytes = 40}, {.kept = "a\xff", .bytes = 2});
  EXPECT_EQ(outcome.stdout_stream, (CapturedStream{"grün", Encoding::utf8, 40}))
      << "bytes as they were written";
  EXPECT_EQ(outcome.stderr_stream, (CapturedStream{"Yf8=", Encoding::base64, 2}));
}

TEST(CapturedOutput, IsTruncatedIfEitherStreamIs) {
  EXPECT_FALSE(written({}, {}).truncated);
  EXPECT_TRUE(written({.truncated = true}, {}).truncated);
  EXPECT_TRUE(written({}, {.truncated = true}).truncated);
}

TEST(CapturedOutput, ForgivesAHalfCharacterOnlyToTheStreamThatWasCut) {
  const Outcome outcome = written({.kept = "gr\xc3", .truncated = true}, {.kept = "gr\xc3"});
  EXPECT_EQ(outcome.stdout_stream.data, "gr");
  EXPECT_EQ(outcome.stderr_stream.encoding, Encoding::base64);
}

}  // namespace
}  // namespace bawn
