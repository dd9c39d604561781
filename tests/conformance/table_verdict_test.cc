// The table against the validator and the planner, with the facts of each system. The same request
// under the same policy must get the same verdict with the same message everywhere, unless the
// table says why not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <variant>

#include "base/text.h"
#include "conformance/table.h"
#include "host/system_facts.h"
#include "plan/plan.h"
#include "plan/plan_parts.h"
#include "plan/root/destinations.h"
#include "policy/policy_check.h"
#include "policy/text/policy_json.h"
#include "request/request.h"
#include "validate/fake_lookup.h"
#include "validate/validate.h"

namespace bawn {
namespace {

const TablePaths& paths() {
  static const TablePaths made{
      .workspace = "/work", .outside = "/outside", .guest = "/places/guest", .tool = "/work/guest"};
  return made;
}

const std::vector<Row>& table() {
  static const std::vector<Row> rows = load_table(BAWN_CONFORMANCE_TABLE, paths());
  return rows;
}

FakeLookup tree() {
  return FakeLookup({{"/work/note.txt", "file"},
                     {"/work/guest", "exe"},
                     {"/work/.env", "file"},
                     {"/work/.git/hooks", "dir"},
                     {"/outside/secret.txt", "file"},
                     {"/places/guest", "exe"},
                     {"/bin/sh", "exe"},
                     {"/usr/bin/env", "exe"},
                     {"/usr/bin/sudo", "setuid"},
                     {"/private/tmp", "dir"},
                     {"/tmp", "dir"}});
}

// The facts of a machine with that system on which nothing is missing.
HostFacts facts_of(std::string_view system) {
  HostFacts facts = system == "macos"     ? macos_facts()
                    : system == "windows" ? windows_facts()
                                          : linux_facts();
  if (system == "linux") {
    facts.landlock_abi = 6;
    facts.seccomp_filters = true;
  }
  if (system == "windows") facts.private_parent = "/tmp";
  facts.process_limit_binds = true;
  facts.uid = facts.gid = 1000;
  return facts;
}

Violations as_violations(const std::string& code, const std::vector<json::Problem>& problems) {
  Violations out;
  for (const json::Problem& problem : problems)
    out.push_back({code, problem.where, problem.message, problem.hint});
  return out;
}

void append(Violations& to, const Violations& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Everything that is decided before a run, in the order of a run.
Violations judge(const Policy& policy, Request request, const HostFacts& host) {
  (void)normalise_request(request);
  Violations violations = as_violations("policy.invalid", check_policy(policy));
  append(violations,
         as_violations("request.invalid", check_request(request, RequestSource::model)));
  if (!violations.empty()) return violations;
  const auto chosen = choose_tier(policy, host);
  if (const auto* unavailable = std::get_if<Violation>(&chosen)) violations.push_back(*unavailable);
  const Tier tier =
      std::holds_alternative<Tier>(chosen) ? std::get<Tier>(chosen) : policy.tier.floor;
  const FakeLookup lookup = tree();
  const bool own_workspace = policy.workspace.mode == WorkspaceMode::private_dir;
  const Verdict verdict =
      validate(policy, request,
               {.tier = tier,
                .lookup = &lookup,
                .workspace = own_workspace ? "" : paths().workspace,
                .caller_env = [](std::string_view) { return std::optional<std::string>(); }});
  const auto setup = test::setup_of(policy, tier, host);
  if (!verdict.allowed()) append(violations, judge_destinations(policy, setup ? &*setup : nullptr));
  append(violations, verdict.violations);
  if (!violations.empty()) return violations;
  return test::planned(policy, request, verdict, tier,
                       {.run_id = "run-1", .private_name = "bawn-x"}, host, lookup)
      .violations;
}

Violations verdict_of(const Row& row, std::string_view system) {
  auto policy = parse_policy(row.policy, "policy.json");
  if (const auto* problems = std::get_if<1>(&policy))
    return as_violations("policy.invalid", *problems);
  auto request = parse_request(row.request);
  if (const auto* problems = std::get_if<1>(&request))
    return as_violations("request.invalid", *problems);
  return judge(std::get<0>(policy).policy, std::get<0>(request), facts_of(system));
}

std::string told(const Violations& violations) {
  std::string out;
  for (const Violation& one : violations) {
    out += concat("\n  ", one.code, " ", quote(one.subject), ": ", one.message, " -- ", one.hint);
  }
  return out;
}

std::vector<std::string> codes_of(const Violations& violations) {
  std::vector<std::string> codes;
  for (const Violation& violation : violations) codes.push_back(violation.code);
  std::sort(codes.begin(), codes.end());
  return codes;
}

class ConformanceVerdict : public testing::TestWithParam<Row> {};

TEST_P(ConformanceVerdict, IsWhatTheTableSaysOnEachSystem) {
  const Row& row = GetParam();
  for (const std::string_view system : kSystems) {
    const Violations violations = verdict_of(row, system);
    EXPECT_EQ(codes_of(violations), row.on.find(system)->second.codes)
        << system << told(violations);
    for (const Violation& violation : violations)
      EXPECT_NE(violation.message, "") << violation.code;
  }
}

TEST_P(ConformanceVerdict, IsInTheSameWordsOnEachSystem) {
  const Row& row = GetParam();
  const Violations here = verdict_of(row, "linux");
  for (const std::string_view system : kSystems) {
    if (!row.on.find(system)->second.why.empty()) continue;
    if (!row.on.find("linux")->second.why.empty()) continue;
    EXPECT_EQ(told(verdict_of(row, system)), told(here)) << system;
  }
}

INSTANTIATE_TEST_SUITE_P(Row, ConformanceVerdict, testing::ValuesIn(table()),
                         [](const testing::TestParamInfo<Row>& one) { return one.param.name; });

TEST(ConformanceTable, HoldsSixtyRowsAndDifferencesThatHaveAReason) {
  EXPECT_GE(table().size(), 60U);
  EXPECT_GT(
      std::count_if(table().begin(), table().end(), [](const Row& row) { return row.differs(); }),
      5);
  EXPECT_GT(
      std::count_if(table().begin(), table().end(),
                    [](const Row& row) { return row.on.find("linux")->second.codes.empty(); }),
      20)
      << "runs, not only denials";
}

}  // namespace
}  // namespace bawn
