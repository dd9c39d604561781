#include "policy/text/policy_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "base/text.h"
#include "policy/preset.h"

namespace bawn {
namespace {

SourcedPolicy parsed(std::string text) {
  auto result = parse_policy(std::move(text), "policy.json");
  if (const auto* problems = std::get_if<1>(&result)) {
    for (const json::Problem& problem : *problems) ADD_FAILURE() << json::to_string(problem);
    return {};
  }
  return std::get<0>(std::move(result));
}

std::vector<std::string> problems(std::string text) {
  auto result = parse_policy(std::move(text), "policy.json");
  std::vector<std::string> out;
  if (const auto* found = std::get_if<1>(&result)) {
    for (const json::Problem& problem : *found) out.push_back(json::to_string(problem));
  }
  return out;
}

// The problem of a text that must have exactly one.
std::string problem(std::string text) {
  const std::vector<std::string> found = problems(text);
  EXPECT_EQ(found.size(), 1U) << text;
  return found.empty() ? "" : found.front();
}

using Lines = std::vector<std::string>;

TEST(PolicyJson, AnEmptyObjectIsTheAgentPreset) {
  const SourcedPolicy policy = parsed("{}");
  EXPECT_EQ(policy.policy, *preset("agent"));
  EXPECT_EQ(policy.preset, "agent");
  EXPECT_TRUE(policy.origins.empty());
}

TEST(PolicyJson, ExtendsNamesThePresetBelow) {
  for (const std::string_view name : preset_names()) {
    const SourcedPolicy policy = parsed(concat("{\"extends\": \"", name, "\"}"));
    EXPECT_EQ(policy.policy, *preset(name));
    EXPECT_EQ(policy.preset, name);
  }
}

TEST(PolicyJson, AnUnknownPresetIsAProblemAndNotADefault) {
  EXPECT_EQ(problem(R"({"extends": "stict"})"),
            "1:13: extends: 'stict' is not a preset: expected workspace, agent, basic, strict, "
            "network-isolated or disabled (did you mean 'strict'?)");
  EXPECT_EQ(problem(R"({"extends": 1})"), "1:13: extends: expected a string, found a number");
  EXPECT_NE(problem(R"({"extends": ""})"), "");
}

TEST(PolicyJson, ReadsEveryField) {
  const Policy policy = parsed(R"({
    // Comments are welcome.
    "extends": "agent",
    "tier": {"use": "c", "floor": "c"},
    "workspace": {"root": "/srv/p", "mode": "read_only", "hide": [".env"], "protect": ["/srv/p/.git"]},
    "filesystem": {"read": ["/opt/sdk"], "write": ["/var/cache/p"], "tmp": "private"},
    "executables": {"allow": ["git", "/usr/bin/make"], "block": ["rm"], "interpreters": true, "from_workspace": true,
                    "sha256": {"git": "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}},
    "arguments": {"refuse_paths": ["/etc"], "refuse_patterns": ["| sh"]},
    "environment": {"pass": ["LANG"], "set": {"CI": "1", "EMPTY": ""}},
    "macos": {"loopback": true, "trust_service": true},
    "egress": {"mode": "strict", "hosts": ["Example.com:443", "[::1]:80"], "dns_suffixes": ["Example.ORG."]},
    "limits": {"cpu_time_ms": 1000, "wall_time_ms": 2000, "memory_bytes": 1048576, "processes": 3, "open_files": 16,
               "file_bytes": 0, "output_bytes": "unlimited", "tmp_bytes": 131072, "cpu_percent": 150,
               "cgroup_parent": "/sys/fs/cgroup/runs", "total_memory_bytes": 2097152, "total_processes": 30,
               "optional": ["tmp_bytes", "cpu_percent"]},
    "background": {"processes": 2, "lifetime_ms": 5000, "output_bytes": 6000},
    "redaction": {"enabled": false, "secrets": ["hunter22"]}
  })")
                            .policy;
  Policy expected;
  expected.tier = {TierChoice::c, Tier::c};
  expected.workspace = {"/srv/p", WorkspaceMode::read_only, {".env"}, {"/srv/p/.git"}};
  expected.filesystem = {{"/opt/sdk"}, {"/var/cache/p"}, Tmp::private_dir};
  expected.executables.allow = {"git", "/usr/bin/make"};
  expected.executables.block = {"rm"};
  expected.executables.interpreters = true;
  expected.executables.from_workspace = true;
  expected.executables.sha256 = {
      {"git", "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"}};
  expected.arguments = {{"/etc"}, {"| sh"}};
  expected.environment = {{"LANG"}, {{"CI", "1"}, {"EMPTY", ""}}};
  expected.macos = {.loopback = true, .trust_service = true};
  expected.egress = {EgressMode::strict, {{"example.com", 443}, {"::1", 80}}, {"example.org"}};
  expected.limits = {1000,
                     2000,
                     1048576,
                     3,
                     16,
                     0,
                     std::nullopt,
                     131072,
                     150,
                     "/sys/fs/cgroup/runs",
                     2097152,
                     30,
                     {"tmp_bytes", "cpu_percent"}};
  expected.background = {2, 5000, 6000};
  expected.redaction = {false, {"hunter22"}};
  EXPECT_EQ(policy, expected);
}

TEST(PolicyJson, OnlyALimitThatAHostMayLackCanBeOptional) {
  EXPECT_EQ(
      parsed(R"({"limits": {"optional": ["processes", "tmp_bytes"]}})").policy.limits.optional,
      (std::vector<std::string>{"processes", "tmp_bytes"}));
  EXPECT_TRUE(parsed(R"({"limits": {"optional": []}})").policy.limits.optional.empty());
  EXPECT_EQ(problem(R"({"limits": {"optional": ["wall_time_ms"]}})"),
            "1:26: limits.optional[0]: 'wall_time_ms' is not valid: expected memory_bytes, "
            "processes, open_files, file_bytes, tmp_bytes or cpu_percent (every other limit is "
            "enforced, or nothing runs)");
  EXPECT_EQ(problem(R"({"limits": {"optional": ["proceses"]}})"),
            "1:26: limits.optional[0]: 'proceses' is not valid: expected memory_bytes, processes, "
            "open_files, file_bytes, tmp_bytes or cpu_percent (did you mean 'processes'?)");
  EXPECT_EQ(problem(R"({"limits": {"optional": "processes"}})"),
            "1:25: limits.optional: expected an array, found a string");
}

TEST(PolicyJson, RemembersWhereEachValueStands) {
  const SourcedPolicy policy =
      parsed("{\n  \"limits\": {\n    \"memory_bytes\": 1048576,\n    \"processes\": 9 }\n}");
  EXPECT_EQ(policy.origins, (Origins{{"limits.memory_bytes", "policy.json:3:21"},
                                     {"limits.processes", "policy.json:4:18"}}));
}

TEST(PolicyJson, AGivenListReplacesThePresetsList) {
  EXPECT_EQ(
      parsed(R"({"extends": "basic", "executables": {"block": ["dd"]}})").policy.executables.block,
      std::vector<std::string>{"dd"});
}

TEST(PolicyJson, AllowIsAllOrAListAndAnEmptyListAllowsNothing) {
  const auto allow = [](std::string_view value) {
    return parsed(concat(R"({"extends": "basic", "executables": {"allow": )", value, "}}"))
        .policy.executables;
  };
  EXPECT_TRUE(allow("\"all\"").allow_all);
  EXPECT_FALSE(allow("[]").allow_all);
  EXPECT_TRUE(allow("[]").allow.empty());
  EXPECT_FALSE(allow("[\"git\"]").allow_all);
  EXPECT_EQ(problem(R"({"executables": {"allow": "git"}})"),
            "1:27: executables.allow: 'git' is not a list: expected \"all\" or a list of programs "
            "(put it into brackets)");
  EXPECT_EQ(problem(R"({"executables": {"allow": null}})"),
            "1:27: executables.allow: expected an array, found null");
  EXPECT_EQ(problem(R"({"executables": {"allow": ["*"]}})"),
            "1:28: executables.allow[0]: '*' is not valid: expected a program name such as git, or "
            "an absolute path (to allow every program write \"allow\": \"all\")");
}

TEST(PolicyJson, ReportsUnknownKeysAtBothLevelsWithTheNearest) {
  EXPECT_EQ(problems(R"({"egres": {}, "limits": {"memory": 1, "procesess": 2}})"),
            (Lines{"1:2: egres: unknown key 'egres' (did you mean 'egress'?)",
                   "1:26: limits.memory: unknown key 'memory' (did you mean 'memory_bytes'?)",
                   "1:39: limits.procesess: unknown key 'procesess' (did you mean 'processes'?)"}));
}

TEST(PolicyJson, ReportsEveryProblemAtOnceInTheOrderOfTheText) {
  const Lines found = problems(R"({
    "redaction": {"enabled": 1},
    "tier": {"use": "d"},
    "limits": {"processes": 0, "processes": 5},
    "egress": {"mode": "strct", "hosts": ["a b", 7, "ok.example"]},
    "workspace": []
  })");
  ASSERT_EQ(found.size(), 8U);
  EXPECT_EQ(found[0], "2:30: redaction.enabled: expected true or false, found a number");
  EXPECT_EQ(found[1].substr(0, 34), "3:21: tier.use: 'd' is not a tier:");
  EXPECT_EQ(found[2],
            "4:29: limits.processes: expected a whole number from 1 to 4194304 or \"unlimited\", "
            "found '0'");
  EXPECT_EQ(found[3],
            "4:32: limits.processes: the key 'processes' appears twice (keep one of them)");
  EXPECT_EQ(found[4],
            "5:24: egress.mode: 'strct' is not an egress mode: expected allow_all, preflight, "
            "strict or block_all (did you mean 'strict'?)");
  EXPECT_EQ(found[5].substr(0, 28), "5:43: egress.hosts[0]: 'a b'");
  EXPECT_EQ(found[6], "5:50: egress.hosts[1]: expected a string, found a number");
  EXPECT_EQ(found[7], "6:18: workspace: expected an object, found an array");
}

TEST(PolicyJson, AnAmbiguousWordIsRefusedWithBothThatItCouldMean) {
  EXPECT_EQ(problems(R"({"egress": {"mode": "none"}})"),
            Lines{"1:21: egress.mode: 'none' is not an egress mode: it can mean no restriction or "
                  "no network: say 'allow_all' for an open network, or 'block_all' for none"});
}

TEST(PolicyJson, SyntaxErrorsHaveAPosition) {
  for (const auto* text :
       {"", "{", "{\"tier\"}", "nul", "{} {}", "{\"limits\": {\"processes\": 1,}}"}) {
    auto result = parse_policy(text, "f");
    const auto* found = std::get_if<1>(&result);
    ASSERT_NE(found, nullptr) << text;
    ASSERT_FALSE(found->empty());
    EXPECT_GE(found->front().line, 1U);
    EXPECT_FALSE(found->front().message.empty());
  }
}

TEST(PolicyJson, TheDocumentMustBeAnObject) {
  for (const auto* text : {"[]", "null", "\"agent\"", "1"})
    EXPECT_EQ(problems(text).size(), 1U) << text;
}

TEST(PolicyJson, RefusesATextThatIsTooLong) {
  std::string text = "{}";
  text.resize(kMaxPolicyBytes, ' ');
  EXPECT_TRUE(problems(text).empty());
  text += ' ';
  EXPECT_EQ(problem(text), "1:1: the policy has 262145 bytes; at most 262144 are allowed");
}

TEST(PolicyJson, LimitsAreWholeNumbersInRangeOrUnlimited) {
  const auto with = [](std::string_view value) {
    return concat(R"({"limits": {"memory_bytes": )", value, "}}");
  };
  EXPECT_EQ(parsed(with("1048576")).policy.limits.memory_bytes, 1048576U);
  EXPECT_EQ(parsed(with("\"unlimited\"")).policy.limits.memory_bytes, std::nullopt);
  for (const auto* bad : {"0", "1048575", "-1", "1.5", "1e9", "9007199254740992",
                          "18446744073709551616", "null", "true", "[]", "\"\"", "\"none\""}) {
    EXPECT_EQ(problems(with(bad)).size(), 1U) << bad;
  }
}

TEST(PolicyJson, ALimitWithAUnitIsAnsweredWithItsNumber) {
  EXPECT_EQ(problem(R"({"limits": {"memory_bytes": "256M"}})"),
            "1:29: limits.memory_bytes: expected a whole number from 1048576 to 9007199254740991 "
            "or \"unlimited\", found the string '256M' (write 268435456)");
  EXPECT_NE(problem(R"({"limits": {"wall_time_ms": "30s"}})").find("(write 30000)"),
            std::string::npos);
  EXPECT_NE(
      problem(R"({"limits": {"wall_time_ms": "unlimted"}})").find("(did you mean 'unlimited'?)"),
      std::string::npos);
}

TEST(PolicyJson, ACountHasNoUnlimited) {
  EXPECT_EQ(problems(R"({"background": {"processes": "unlimited"}})").size(), 1U);
  EXPECT_EQ(problems(R"({"background": {"processes": 1025}})").size(), 1U);
  EXPECT_EQ(parsed(R"({"background": {"processes": 1024}})").policy.background.processes, 1024U);
}

TEST(PolicyJson, PathsAreAbsoluteAndTidy) {
  const auto with = [](std::string_view path) {
    return concat(R"({"filesystem": {"read": [")", path, "\"]}}");
  };
  for (const auto* good : {"/", "/srv", "/srv/a b", "/srv/..data", "/srv/\\u00e9"}) {
    EXPECT_TRUE(problems(with(good)).empty()) << good;
  }
  for (const auto* bad : {"", "srv", "./srv", "~/x", "/srv/", "//srv", "/a//b", "/a/./b", "/a/../b",
                          "/..", "/a\\u0000b"}) {
    EXPECT_EQ(problems(with(bad)).size(), 1U) << bad;
  }
  EXPECT_EQ(problem(with("/srv//data/")),
            "1:26: filesystem.read[0]: '/srv//data/' is not valid: expected an absolute path such "
            "as /srv/data (write '/srv/data')");
  EXPECT_EQ(problem(with(R"(C:\\Users\\you)")),
            "1:26: filesystem.read[0]: 'C:\\\\Users\\\\you' is not valid: expected an absolute "
            "path such as /srv/data (write '/c/Users/you')");
}

TEST(PolicyJson, AGrantIsAPathOrAnObjectThatSaysWhereTheRunSeesIt) {
  const Policy policy =
      parsed(R"({"filesystem": {"read": ["/srv/a", {"path": "/srv/b", "at": "/data/b"}],
                                                  "write": [{"at": "/out", "path": "/srv/a"}]}})")
          .policy;
  EXPECT_EQ(policy.filesystem.read, (std::vector<Grant>{{"/srv/a"}, {"/srv/b", "/data/b"}}));
  EXPECT_EQ(policy.filesystem.write, (std::vector<Grant>{{"/srv/a", "/out"}}));
}

TEST(PolicyJson, AGrantMaySayThatItsProgramsCanRun) {
  const Policy policy = parsed(R"({"filesystem": {"read": [{"path": "/srv/a", "exec": true},
                                         {"path": "/srv/b", "at": "/b", "exec": true},
                                         {"path": "/srv/c", "exec": false}]}})")
                            .policy;
  ASSERT_EQ(policy.filesystem.read.size(), 3U);
  EXPECT_TRUE(policy.filesystem.read[0].exec && policy.filesystem.read[1].exec);
  EXPECT_EQ(policy.filesystem.read[0].at, "");
  EXPECT_EQ(policy.filesystem.read[1].at, "/b");
  EXPECT_EQ(policy.filesystem.read[2], Grant("/srv/c"));
}

// For code that was written before grants had destinations.
TEST(PolicyJson, APathAloneIsAGrantInCodeToo) {
  Policy policy;
  policy.filesystem.read = {"/srv/a", "/srv/b"};
  policy.filesystem.read.push_back(std::string("/srv/c"));
  policy.filesystem.read.emplace_back("/srv/d");
  ASSERT_EQ(policy.filesystem.read.size(), 4U);
  for (const Grant& grant : policy.filesystem.read) {
    EXPECT_EQ(grant.path.size(), 6U) << grant.path;
    EXPECT_EQ(grant.at, "");
    EXPECT_EQ(grant.place(), grant.path);
  }
  EXPECT_EQ(Grant("/srv/a", "/data").place(), "/data");
}

TEST(PolicyJson, AGrantWithADestinationIsClosedAndComplete) {
  const auto with = [](std::string_view grant) {
    return concat(R"({"filesystem": {"read": [)", grant, "]}}");
  };
  EXPECT_EQ(problems(with(R"({"path": "/a", "to": "/b"})")),
            (std::vector<std::string>{
                "1:26: filesystem.read[0].at: is missing: expected an absolute path inside the run "
                "such as /data (a grant that stays where it is can be written as its path alone)",
                "1:41: filesystem.read[0].to: unknown key 'to' (expected path, exec or at)"}));
  EXPECT_EQ(problem(with(R"({"path": "/a", "at": "/b/../c"})")),
            "1:47: filesystem.read[0].at: '/b/../c' is not valid: expected an absolute path inside "
            "the run such as /data (write it without '..')");
  EXPECT_EQ(problem(with("7")),
            "1:26: filesystem.read[0]: expected a path, or an object with 'path' and 'at' or "
            "'exec', found a number");
  for (const auto* bad :
       {R"({"at": "/b"})", R"({"path": "a", "at": "/b"})", R"({"path": "/a", "at": "b"})",
        R"({"path": "/a", "at": "/"})", R"({"path": "/a", "at": ""})",
        R"({"path": "/a", "at": ["/b"]})", R"({"path": "/a", "at": "/b/"})",
        R"({"path": "/a", "exec": "yes"})", R"({"path": "/a", "at": "b", "exec": true})",
        R"({"exec": true})", R"({"path": "/a"})"}) {
    EXPECT_EQ(problems(with(bad)).size(), 1U) << bad;
  }
  EXPECT_EQ(problem(with(R"("/a", {"path": "/a", "at": "/b"}, {"path": "/a", "at": "/b"})")),
            "1:60: filesystem.read[2]: '/a' at '/b' appears twice in the list (keep one of them)");
  EXPECT_TRUE(
      problems(with(R"("/a", {"path": "/a", "at": "/b"}, {"path": "/a", "at": "/c"})")).empty());
}

TEST(PolicyJson, WorkspacePathsMayBeRelativeButStayInside) {
  const auto with = [](std::string_view path) {
    return concat(R"({"workspace": {"hide": [")", path, "\"]}}");
  };
  for (const auto* good : {".env", "a/b", "/srv/p/.env", "..data"})
    EXPECT_TRUE(problems(with(good)).empty()) << good;
  for (const auto* bad :
       {"", ".", "..", "../x", "a/../../x", "./a", "a/", "a//b", "/", "a\\u0000"}) {
    EXPECT_EQ(problems(with(bad)).size(), 1U) << bad;
  }
}

TEST(PolicyJson, ProgramsAreNamesOrAbsolutePaths) {
  const auto with = [](std::string_view name) {
    return concat(R"({"executables": {"block": [")", name, "\"]}}");
  };
  for (const auto* good : {"git", "/usr/bin/git", "[", "g++", "python3.11", "/opt/my tools/x"}) {
    EXPECT_TRUE(problems(with(good)).empty()) << good;
  }
  for (const auto* bad : {"", "bin/git", "./git", "git status", "*", "python*", "..", ".",
                          "/usr/bin/", "a\\nb", "a\\u0000"}) {
    EXPECT_EQ(problems(with(bad)).size(), 1U) << bad;
  }
}

TEST(PolicyJson, EnvironmentNamesAreChecked) {
  const auto pass = [](std::string_view name) {
    return concat(R"({"environment": {"pass": [")", name, "\"]}}");
  };
  const auto set = [](std::string_view name) {
    return concat(R"({"environment": {"set": {")", name, "\": \"x\"}}}");
  };
  for (const auto* good : {"A", "_", "LC_ALL", "a1"}) {
    EXPECT_TRUE(problems(pass(good)).empty() && problems(set(good)).empty()) << good;
  }
  for (const auto* bad : {"", "1A", "A=B", "LC_*", "A B", "\\u00e9", "A\\u0000"}) {
    EXPECT_EQ(problems(pass(bad)).size(), 1U) << bad;
    EXPECT_EQ(problems(set(bad)).size(), 1U) << bad;
  }
}

// Such variables were once accepted and silently replaced; lint said that environment.set wins.
TEST(PolicyJson, VariablesOfBawnItselfCanNeitherBeSetNorPassed) {
  const auto pass = [](std::string_view name) {
    return problems(concat(R"({"environment": {"pass": [")", name, R"("]}})"));
  };
  const auto set = [](std::string_view name) {
    return problems(concat(R"({"environment": {"set": {")", name, R"(": "x"}}})"));
  };
  for (const auto* own : {"PATH", "Path", "BAWN", "BAWN_RUN_ID", "SANDBOX_RUNTIME"}) {
    EXPECT_EQ(pass(own).size(), 1U) << own;
    EXPECT_EQ(set(own).size(), 1U) << own;
  }
  for (const auto* free : {"HOME", "TMPDIR", "PATHS", "BAWN_MODE"})
    EXPECT_TRUE(set(free).empty()) << free;
  EXPECT_THAT(set("BAWN").front(),
              testing::HasSubstr("environment.set.BAWN: 'BAWN' is not valid: expected the name of "
                                 "a variable that bawn does not set itself"));
  EXPECT_THAT(pass("PATH").front(), testing::HasSubstr("executables.caller_path"));
}

TEST(PolicyJson, DigestsAreSixtyFourLowerCaseHexDigits) {
  const auto with = [](const std::string& digest) {
    return concat(R"({"executables": {"sha256": {"git": ")", digest, "\"}}}");
  };
  EXPECT_TRUE(problems(with(std::string(64, 'a'))).empty());
  EXPECT_NE(problem(with(std::string(64, 'A'))).find("(write it in lower case)"),
            std::string::npos);
  for (const std::string& bad :
       {std::string(63, 'a'), std::string(65, 'a'), std::string(64, 'g'), std::string()}) {
    EXPECT_EQ(problems(with(bad)).size(), 1U) << bad;
  }
}

TEST(PolicyJson, RefusesEntriesThatStandTwiceAlsoAfterNormalising) {
  EXPECT_EQ(problem(R"({"egress": {"hosts": ["a.example", "A.example."]}})"),
            "1:36: egress.hosts[1]: 'a.example' appears twice in the list (keep one of them)");
  EXPECT_TRUE(problems(R"({"egress": {"hosts": ["a.example", "a.example:443"]}})").empty());
  EXPECT_EQ(problems(R"({"executables": {"allow": ["git", "git"]}})").size(), 1U);
  EXPECT_EQ(problems(R"({"environment": {"set": {"A": "1", "A": "2"}}})").size(), 1U);
}

TEST(PolicyJson, HostsAndSuffixesSayWhatWouldBeRight) {
  EXPECT_NE(problem(R"({"egress": {"hosts": ["*.example.com"]}})").find("egress.dns_suffixes"),
            std::string::npos);
  EXPECT_NE(problem(R"({"egress": {"hosts": ["https://example.com/"]}})").find("without scheme"),
            std::string::npos);
  EXPECT_NE(
      problem(R"({"egress": {"dns_suffixes": ["*.example.com"]}})").find("write 'example.com'"),
      std::string::npos);
  EXPECT_NE(
      problem(R"({"egress": {"dns_suffixes": ["10.0.0.1"]}})").find("belongs into egress.hosts"),
      std::string::npos);
}

TEST(PolicyJson, ListsHaveACap) {
  const auto list = [](std::size_t entries) {
    std::string out = R"({"executables": {"allow": [)";
    for (std::size_t i = 0; i < entries; ++i) out += concat(i == 0 ? "" : ",", "\"p", i, "\"");
    return out + "]}}";
  };
  EXPECT_TRUE(problems(list(1024)).empty());
  EXPECT_EQ(problem(list(1025)),
            "1:27: executables.allow: has 1025 entries; at most 1024 are allowed");
}

TEST(PolicyJson, ProblemsNeverRepeatASecret) {
  const Lines found =
      problems(R"({"redaction": {"secrets": ["xyz", "hunter2\u0000", "hunter22", "hunter22"]},
                                   "environment": {"set": {"A": "hunter2\u0000"}}})");
  EXPECT_EQ(found.size(), 4U);
  for (const std::string& line : found) {
    EXPECT_EQ(line.find("hunter2"), std::string::npos) << line;
    EXPECT_EQ(line.find("xyz"), std::string::npos) << line;
  }
}

TEST(PolicyJson, ASyntaxErrorInsideASecretDoesNotRepeatIt) {
  EXPECT_EQ(problem("{\"redaction\": {\"secrets\": [\"hunter22\n\"]}}").find("hunter"),
            std::string::npos);
}

TEST(PolicyJson, ConflictsAreReportedWhereTheFileCausesThem) {
  EXPECT_EQ(problem("{\"tier\":\n {\"use\": \"unconfined\"}}"),
            "2:10: tier.use: tier unconfined is weaker than the floor, tier b (to accept it set "
            "tier.floor to 'unconfined' as well)");
  EXPECT_TRUE(problems(R"({"tier": {"use": "unconfined", "floor": "unconfined"}})").empty());
  EXPECT_EQ(
      problem(R"({"extends": "workspace", "egress": {"hosts": ["a.example"]}})").substr(0, 20),
      "1:46: egress.hosts: ");
  EXPECT_EQ(problem(R"({"extends": "strict", "workspace": {"root": "/srv"}})").substr(0, 22),
            "1:45: workspace.root: ");
  EXPECT_EQ(problem(R"({"extends": "disabled", "tier": {"floor": "b"}})").substr(0, 16),
            "1:43: tier.use: ");
}

TEST(PolicyJson, AConflictWithAValueThatCouldNotBeReadIsNotReported) {
  EXPECT_EQ(
      problems(R"({"extends": "strict", "workspace": {"root": "/srv", "mode": "dirct"}})").size(),
      1U);
  EXPECT_EQ(problems(R"({"extends": "strct", "tier": {"use": "unconfined"}})").size(), 1U);
  EXPECT_EQ(problems(R"({"extends": 1, "tier": {"use": "unconfined"}})").size(), 1U);
}

TEST(PolicyJson, TakingTheTemporaryDirectoryAwayTakesItsSizeAlong) {
  EXPECT_EQ(parsed(R"({"filesystem": {"tmp": "none"}})").policy.limits.tmp_bytes, std::nullopt);
  EXPECT_EQ(problems(R"({"filesystem": {"tmp": "none"}, "limits": {"tmp_bytes": 131072}})").size(),
            1U);
}

TEST(PolicyJson, APresetHasNoOriginsOfItsOwn) {
  const std::optional<SourcedPolicy> policy = sourced_preset("strict");
  ASSERT_TRUE(policy.has_value());
  EXPECT_EQ(policy->preset, "strict");
  EXPECT_EQ(policy->policy, *preset("strict"));
  EXPECT_TRUE(policy->origins.empty());
  EXPECT_FALSE(sourced_preset("stric").has_value());
}

}  // namespace
}  // namespace bawn
