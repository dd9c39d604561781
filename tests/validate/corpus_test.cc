// Runs the cases of corpus/*.json: request, policy, tier -> the exact list of codes.
//
// A file is {"about", "tree", "policies", "cases"}; its tree is added to base_tree.json. A case
// names a policy of its file or a preset, and gives the reason why it exists, which a failure
// prints. "codes": [] means allowed. Such cases guard against false denials, and there must be
// many.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "base/text.h"
#include "fake_lookup.h"
#include "host/system_paths.h"
#include "policy/text/policy_json.h"
#include "request/request.h"
#include "validate/validate.h"

namespace bawn {
namespace {

using Json = nlohmann::ordered_json;
using Strings = std::map<std::string, std::string>;

struct Case {
  std::string name;
  std::string why;
  std::string error;  // set if the corpus itself is wrong
  Policy policy;
  Request request;
  Tier tier = Tier::b;
  std::string workspace;
  Strings caller_env;
  std::vector<std::string> codes;
  std::shared_ptr<const FakeLookup> tree;
};

// Otherwise gtest would print the bytes of the whole struct.
void PrintTo(const Case& one, std::ostream* out) { *out << one.name << ": " << one.why; }

std::string read_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string problems_text(const std::vector<json::Problem>& problems) {
  std::string out;
  for (const json::Problem& problem : problems) out += concat(json::to_string(problem), "\n");
  return out;
}

void take_policy(Case& one, const Json& policies, const std::string& name) {
  if (!policies.contains(name)) {
    const auto preset = sourced_preset(name);
    if (preset) one.policy = preset->policy;
    if (!preset) one.error = concat("no policy or preset ", quote(name));
    return;
  }
  auto parsed = parse_policy(policies.at(name).dump(), name);
  if (const auto* policy = std::get_if<SourcedPolicy>(&parsed)) {
    one.policy = policy->policy;
  } else {
    one.error = concat("policy ", name, ": ", problems_text(std::get<1>(parsed)));
  }
}

void take_request(Case& one, const Json& text) {
  auto parsed = parse_request(text.dump());
  if (const auto* request = std::get_if<Request>(&parsed)) {
    one.request = *request;
  } else {
    one.error = concat("request: ", problems_text(std::get<1>(parsed)));
  }
}

Tier tier_of(const std::string& text) {
  if (text == "unconfined") return Tier::unconfined;
  return text == "c" ? Tier::c : Tier::b;
}

Case make_case(const Json& data, const Json& policies) {
  Case one;
  one.why = data.at("why").get<std::string>();
  one.tier = tier_of(data.value("tier", "b"));
  one.codes = data.at("codes").get<std::vector<std::string>>();
  one.caller_env = data.value("caller_env", Strings{});
  take_policy(one, policies, data.at("policy").get<std::string>());
  take_request(one, data.at("request"));
  const bool is_private = one.policy.workspace.mode == WorkspaceMode::private_dir;
  one.workspace = data.value("workspace", is_private ? "" : "/work");
  return one;
}

void load_file(const std::filesystem::path& path, const Strings& base_tree,
               std::vector<Case>& cases) {
  const Json data = Json::parse(read_text(path));
  Strings tree = base_tree;
  for (const auto& [where, spec] : data.value("tree", Strings{})) tree[where] = spec;
  const auto lookup = std::make_shared<const FakeLookup>(tree);
  const Json policies = data.value("policies", Json::object());
  std::size_t index = 0;
  for (const Json& item : data.at("cases")) {
    Case one = make_case(item, policies);
    one.name = concat(path.stem().string(), "_", ++index);
    one.tree = lookup;
    cases.push_back(std::move(one));
  }
}

std::vector<Case> load_corpus() {
  const std::filesystem::path folder = BAWN_CORPUS_DIR;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  const Strings base_tree = Json::parse(read_text(folder / "base_tree.json")).get<Strings>();
  std::vector<Case> cases;
  for (const auto& file : files) {
    if (file.stem() != "base_tree") load_file(file, base_tree, cases);
  }
  return cases;
}

const std::vector<Case>& corpus() {
  static const std::vector<Case> cases = load_corpus();
  return cases;
}

Verdict judge(const Case& one) {
  ValidationContext context;
  context.tier = one.tier;
  context.lookup = one.tree.get();
  context.workspace = one.workspace;
  context.system = {kShownPaths.begin(), kShownPaths.end()};
  context.caller_env = [&](std::string_view name) -> std::optional<std::string> {
    const auto at = one.caller_env.find(std::string(name));
    return at == one.caller_env.end() ? std::nullopt : std::optional(at->second);
  };
  return validate(one.policy, one.request, context);
}

class Corpus : public testing::TestWithParam<Case> {};

TEST_P(Corpus, GivesExactlyTheExpectedCodes) {
  const Case& one = GetParam();
  ASSERT_EQ(one.error, "");
  const Verdict verdict = judge(one);
  std::vector<std::string> codes;
  std::string told;
  for (const Violation& violation : verdict.violations) {
    codes.push_back(violation.code);
    told += concat("\n  ", violation.code, " ", quote(violation.subject), ": ", violation.message,
                   " -- ", violation.hint);
    EXPECT_NE(violation.message, "");
    EXPECT_NE(violation.hint, "") << violation.code;
  }
  std::sort(codes.begin(), codes.end());
  std::vector<std::string> expected = one.codes;
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(codes, expected) << one.why << told;
  if (codes.empty()) {
    EXPECT_EQ(verdict.program.file.kind, FileKind::regular);
    EXPECT_FALSE(verdict.program.argv.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(File, Corpus, testing::ValuesIn(corpus()),
                         [](const testing::TestParamInfo<Case>& one) { return one.param.name; });

TEST(CorpusSize, HoldsTwoHundredCasesAndSixtyGuardsAgainstFalseDenials) {
  const auto guards = std::count_if(corpus().begin(), corpus().end(),
                                    [](const Case& one) { return one.codes.empty(); });
  EXPECT_GE(corpus().size(), 200U);
  EXPECT_GE(guards, 60);
}

}  // namespace
}  // namespace bawn
