#include <gtest/gtest.h>

#include "base/text.h"
#include "policy/preset.h"
#include "policy/text/policy_json.h"

namespace bawn {
namespace {

SourcedPolicy sourced(const std::string& text) {
  auto result = parse_policy(text, "my policy.json");
  if (const auto* problems = std::get_if<1>(&result)) {
    for (const json::Problem& problem : *problems) ADD_FAILURE() << json::to_string(problem);
    return {};
  }
  return std::get<0>(std::move(result));
}

constexpr std::string_view kFiles[] = {
    R"({})",
    R"({"workspace": {"root": "/srv/\u00e9 \"x\" \\", "hide": ["a\tb", ".env"], "mode": "read_only"}})",
    R"({"filesystem": {"tmp": "none"}})",
    R"({"extends": "workspace", "executables": {"allow": []}})",
    R"({"extends": "basic", "executables": {"sha256":
        {"/bin/x": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}}})",
    R"({"egress": {"hosts": ["[2001:db8::1]:443", "::1", "a.example:1", "10.0.0.1"], "dns_suffixes": ["b.example"]}})",
    R"({"egress": {"mode": "allow_all"}, "environment": {"set": {"A_TOKEN": "x\u0001\u007f", "B": ""}}})",
    R"({"redaction": {"enabled": false, "secrets": ["p\u00e4ss", "[secret, 5 bytes]"]}})",
    R"({"filesystem": {"read": ["/a-path-that-is-so-long-that-it-needs-a-line-of-its-own/0123456789012345678901234567890123456789",
        "/b", "/c"]}})",
    R"({"tier": {"use": "unconfined", "floor": "unconfined"}, "limits": {"memory_bytes": "unlimited"}})",
};

TEST(PolicyPrint, EveryPresetReadsBackToItself) {
  for (const std::string_view name : preset_names()) {
    EXPECT_EQ(sourced(policy_text(*preset(name))).policy, *preset(name)) << name;
  }
}

TEST(PolicyPrint, EveryFileReadsBackToItself) {
  for (const std::string_view file : kFiles) {
    const Policy policy = sourced(std::string(file)).policy;
    EXPECT_EQ(sourced(policy_text(policy)).policy, policy) << file;
  }
}

TEST(PolicyPrint, TheTextWithOriginsReadsBackWhereNothingIsSecret) {
  for (const std::string_view name : preset_names()) {
    EXPECT_EQ(sourced(policy_text_with_origins(*sourced_preset(name))).policy, *preset(name))
        << name;
  }
}

TEST(PolicyPrint, NamesTheOriginOfEveryValue) {
  const std::string text = policy_text_with_origins(
      sourced("{\"extends\": \"strict\", \"limits\": {\n \"processes\": 7}}"));
  EXPECT_NE(text.find("\"processes\": 7,  // my policy.json:2:15\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\"memory_bytes\": 268435456,  // preset strict\n"), std::string::npos);
  EXPECT_NE(text.find("\"secrets\": []  // preset strict\n"), std::string::npos);
  EXPECT_NE(text.find("\"block\": [  // preset strict\n      \"rm\", \"rmdir\", "),
            std::string::npos);
}

TEST(PolicyPrint, ShowsAFlagAsOrigin) {
  SourcedPolicy policy = *sourced_preset("agent");
  policy.policy.limits.memory_bytes = 2097152;
  policy.origins["limits.memory_bytes"] = "--memory";
  EXPECT_NE(policy_text_with_origins(policy).find("\"memory_bytes\": 2097152,  // --memory\n"),
            std::string::npos);
}

TEST(PolicyPrint, AFileNameCannotEndItsComment) {
  auto result = parse_policy(R"({"limits": {"processes": 7}})", "a\n\"tier\": {},\x1b[2J");
  const std::string text = policy_text_with_origins(std::get<0>(result));
  EXPECT_NE(text.find("7,  // a?\"tier\": {},?[2J:1:26\n"), std::string::npos) << text;
}

TEST(PolicyPrint, MasksSecretsForPeopleAndKeepsThemForFiles) {
  const SourcedPolicy policy = sourced(R"({
    "redaction": {"secrets": ["hunter22"]},
    "environment": {"set": {"API_KEY": "k-12345", "CI": "yes", "DB": "postgres://u:pw@h/d", "HOME_PAGE": "http://h/"}}})");
  const std::string file = policy_text(policy.policy);
  for (const auto* secret : {"hunter22", "k-12345", "u:pw@h"}) {
    EXPECT_NE(file.find(secret), std::string::npos) << secret;
    EXPECT_EQ(policy_text_with_origins(policy).find(secret), std::string::npos) << secret;
  }
  const std::string shown = policy_text_with_origins(policy);
  EXPECT_NE(shown.find("\"secrets\": [\"[secret, 8 bytes]\"]"), std::string::npos);
  EXPECT_NE(shown.find("\"API_KEY\": \"[secret, 7 bytes]\""), std::string::npos);
  EXPECT_NE(shown.find("\"CI\": \"yes\""), std::string::npos);
  EXPECT_NE(shown.find("http://h/"), std::string::npos);
}

TEST(PolicyPrint, WritesADestinationAsItIsRead) {
  Policy policy = *preset("agent");
  policy.filesystem.read = {"/a", {"/b c", "/data \"x\""}};
  EXPECT_NE(policy_text(policy).find(R"("read": ["/a", {"path": "/b c", "at": "/data \"x\""}],)"),
            std::string::npos)
      << policy_text(policy);
  const auto read_back = parse_policy(policy_text(policy), "p");
  ASSERT_TRUE(std::holds_alternative<SourcedPolicy>(read_back));
  EXPECT_EQ(std::get<SourcedPolicy>(read_back).policy, policy);
}

TEST(PolicyPrint, WritesThatProgramsOfAGrantCanRun) {
  Policy policy = *preset("agent");
  policy.filesystem.read = {"/a", {"/b", "/data"}};
  for (Grant& grant : policy.filesystem.read) grant.exec = true;
  const std::string text = policy_text(policy);
  EXPECT_NE(
      text.find(R"([{"path": "/a", "exec": true}, {"path": "/b", "at": "/data", "exec": true}])"),
      std::string::npos)
      << text;
  const auto read_back = parse_policy(text, "p");
  ASSERT_TRUE(std::holds_alternative<SourcedPolicy>(read_back));
  EXPECT_EQ(std::get<SourcedPolicy>(read_back).policy, policy);
}

TEST(PolicyPrint, IsAsciiWhateverThePolicyHolds) {
  Policy policy = *preset("agent");
  policy.filesystem.read = {"/\xc3\xa9", "/\xff\xfe", "/\x1b[2J", "/\xc2\x9b"};
  for (const char c : policy_text(policy)) EXPECT_TRUE(c == '\n' || (c >= ' ' && c < 0x7f));
}

}  // namespace
}  // namespace bawn
