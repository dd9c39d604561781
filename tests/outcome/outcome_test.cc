#include "outcome/outcome.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace bawn {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Outcome& outcome) { return Json::parse(outcome_json(outcome)); }

TEST(OutcomeJson, HasEveryFieldInItsOrder) {
  Outcome outcome;
  outcome.run_id = "r1";
  outcome.status = Status::exited;
  outcome.exit_code = 3;
  outcome.stdout_stream = {"hi\n", Encoding::utf8, 3};
  outcome.stderr_stream = {"/w==", Encoding::base64, 1};
  outcome.redactions = {{"token", 2}};
  outcome.duration_ms = 12;
  outcome.usage = {1, 2, 3};
  outcome.tier = Tier::b;
  outcome.executor = "linux.init";
  outcome.was_sandboxed = true;
  outcome.enforcement = {{"landlock", LayerState::enforced, {{"abi", 3}}}};
  outcome.handoff = {{".envrc", "", "direnv", "runs a script", HandoffChange::is_new},
                     {"many", "", "", "too many", HandoffChange::not_looked_at}};
  outcome.repairs = {"args[0] repeated the command"};
  EXPECT_EQ(
      outcome_json(outcome),
      R"({"schema":"bawn.outcome.v1","run_id":"r1","status":"exited","success":false,"exit_code":3,"signal":null,)"
      R"("error":null,"limit":null,"stdout":"hi\n","stderr":"/w==","stdout_bytes":3,"stderr_bytes":1,)"
      R"("truncated":false,"redactions":{"token":2},"encoding":{"stdout":"utf-8","stderr":"base64"},)"
      R"("duration_ms":12,"usage":{"cpu_user_ms":1,"cpu_system_ms":2,"max_rss_bytes":3},"tier":"b",)"
      R"("executor":"linux.init","was_sandboxed":true,)"
      R"("enforcement":[{"layer":"landlock","state":"enforced","evidence":{"abi":3}}],"violations":[],)"
      R"("handoff":[{"path":".envrc","key":null,"obeyed_by":"direnv","effect":"runs a script",)"
      R"("change":"new"},{"path":"many","key":null,"obeyed_by":null,"effect":"too many",)"
      R"("change":"not_looked_at"}],)"
      R"("repairs":["args[0] repeated the command"]})");
}

TEST(OutcomeJson, PrintsAbsentValuesAsNull) {
  const Json json = json_of(Outcome{});
  for (const char* field :
       {"run_id", "exit_code", "signal", "error", "limit", "tier", "executor"}) {
    EXPECT_TRUE(json.at(field).is_null()) << field;
  }
  EXPECT_EQ(json.at("redactions"), Json::object());
  EXPECT_EQ(json.at("enforcement"), Json::array());
  EXPECT_EQ(json.at("repairs"), Json::array());
  EXPECT_EQ(json.at("handoff"), nullptr) << "bawn has not looked";
  EXPECT_FALSE(json.contains("timing"));
  EXPECT_FALSE(json.contains("attestation"));
}

TEST(OutcomeJson, ShowsEvidenceAsFieldsWithTheirTypesAndInTheirOrder) {
  constexpr std::uint64_t kLargest = ~std::uint64_t{0};
  Outcome outcome;
  outcome.enforcement = {{"limit.tmp", LayerState::enforced, {}},
                         {"made_up",
                          LayerState::partial,
                          {{"number", kLargest},
                           {"negative", -1},
                           {"flag", false},
                           {"word", "EACCES"},
                           {"empty", ""},
                           {"unread", std::optional<std::uint64_t>()},
                           {"words", std::vector<std::string>{"a", "b"}},
                           {"map", std::vector<IdMapRow>{{0, 100, 5}, {5, 5, 1}}}}}};
  EXPECT_EQ(json_of(outcome).at("enforcement").dump(),
            R"([{"layer":"limit.tmp","state":"enforced","evidence":{}},)"
            R"({"layer":"made_up","state":"partial","evidence":{"number":18446744073709551615,)"
            R"("negative":-1,"flag":false,"word":"EACCES","empty":"","unread":null,)"
            R"("words":["a","b"],"map":[[0,100,5],[5,5,1]]}}])");
}

TEST(OutcomeJson, HasTheTimeOfEachStepIfItWasMeasured) {
  Outcome outcome;
  outcome.timing = {{"probe", 12}, {"outcome", 3'000'000'000'000}};
  EXPECT_EQ(json_of(outcome).at("timing").dump(),
            R"([{"step":"probe","ns":12},{"step":"outcome","ns":3000000000000}])");
}

TEST(OutcomeJson, PrintsErrorsViolationsAndTiers) {
  Outcome outcome;
  outcome.error = Failure{FailureKind::egress_denied, "m", "s", ""};
  outcome.violations = {{"egress.host", "example.org", "not allowed", "add it"}};
  outcome.tier = Tier::unconfined;
  const Json json = json_of(outcome);
  EXPECT_EQ(json.at("error").dump(),
            R"({"kind":"egress_denied","message":"m","step":"s","hint":""})");
  EXPECT_EQ(
      json.at("violations").dump(),
      R"([{"code":"egress.host","subject":"example.org","message":"not allowed","hint":"add it"}])");
  EXPECT_EQ(json.at("tier"), "unconfined");
  outcome.tier = Tier::c;
  EXPECT_EQ(json_of(outcome).at("tier"), "c");
}

TEST(OutcomeJson, IsValidWhateverBytesItHolds) {
  const std::string bad = std::string("\xff\xc0\x80\xed\xa0\x80 a\0\x1b\n", 11);
  Outcome outcome;
  outcome.run_id = outcome.limit = outcome.executor = bad;
  outcome.stdout_stream.data = outcome.stderr_stream.data = bad;
  outcome.error = Failure{FailureKind::runtime_failure, bad, bad, bad};
  outcome.redactions = {{bad, 1}};
  outcome.enforcement = {
      {bad, LayerState::absent, {{"reason", bad}, {"refused", std::vector<std::string>{bad}}}}};
  outcome.violations = {{bad, bad, bad, bad}};
  outcome.repairs = {bad};
  outcome.handoff = {{bad, bad, bad, bad, HandoffChange::is_new}};
  const std::string text = outcome_json(outcome);
  EXPECT_TRUE(Json::accept(text));
  EXPECT_EQ(text.find('\n'), std::string::npos);
}

TEST(OutcomeJson, SucceedsOnlyWithExitCodeZero) {
  Outcome outcome;
  outcome.status = Status::exited;
  EXPECT_EQ(json_of(outcome).at("success"), false);
  outcome.exit_code = 0;
  EXPECT_EQ(json_of(outcome).at("success"), true);
  outcome.status = Status::timed_out;
  EXPECT_EQ(json_of(outcome).at("success"), false);
}

TEST(OutcomeNames, AreTheDocumentedOnes) {
  std::string names;
  for (const Status status :
       {Status::exited, Status::signaled, Status::timed_out, Status::quota_exceeded, Status::denied,
        Status::failed, Status::cancelled, Status::running}) {
    names += std::string(to_string(status)) + ' ';
  }
  EXPECT_EQ(names, "exited signaled timed_out quota_exceeded denied failed cancelled running ");
  names.clear();
  for (const FailureKind kind :
       {FailureKind::disabled, FailureKind::unsupported_platform, FailureKind::cancelled,
        FailureKind::invalid_input, FailureKind::workspace_scope_denied, FailureKind::egress_denied,
        FailureKind::quota_exceeded, FailureKind::timed_out, FailureKind::spawn_failed,
        FailureKind::runtime_failure}) {
    names += std::string(to_string(kind)) + ' ';
  }
  EXPECT_EQ(names,
            "disabled unsupported_platform cancelled invalid_input workspace_scope_denied "
            "egress_denied quota_exceeded timed_out spawn_failed runtime_failure ");
  EXPECT_EQ(to_string(LayerState::not_requested), "not_requested");
  EXPECT_EQ(to_string(LayerState::partial), "partial");
}

struct CodeCase {
  Status status;
  std::optional<int> exit_code;
  std::optional<int> signal;
  std::string limit;
  int expected;
};

TEST(ExitCode, FollowsTheTable) {
  const std::vector<CodeCase> cases = {
      {Status::exited, 0, {}, "", 0},
      {Status::exited, 1, {}, "", 1},
      {Status::exited, 255, {}, "", 255},
      {Status::exited, {}, {}, "", 125},
      {Status::signaled, {}, 11, "", 139},
      {Status::signaled, {}, {}, "", 125},
      {Status::timed_out, {}, {}, "wall_time", 124},
      {Status::timed_out, {}, 9, "", 124},
      {Status::timed_out, {}, 9, "cpu_time", 137},
      {Status::quota_exceeded, {}, 24, "cpu_time", 137},
      {Status::quota_exceeded, {}, {}, "output", 137},
      {Status::quota_exceeded, {}, {}, "", 137},
      {Status::quota_exceeded, {}, {}, "wall_time", 124},
      {Status::denied, {}, {}, "", 126},
      {Status::failed, {}, {}, "", 125},
      {Status::failed, 0, {}, "", 125},
      {Status::cancelled, {}, {}, "", 130},
      {Status::cancelled, {}, 15, "", 143},
      {Status::running, {}, {}, "", 0},
  };
  for (const CodeCase& entry : cases) {
    Outcome outcome;
    outcome.status = entry.status;
    outcome.exit_code = entry.exit_code;
    outcome.signal = entry.signal;
    outcome.limit = entry.limit;
    EXPECT_EQ(exit_code_of(outcome), entry.expected)
        << to_string(entry.status) << ' ' << entry.limit;
  }
}

TEST(ExitCode, TellsNotFoundFromDeniedOnlyIfNothingElseIsWrong) {
  Outcome outcome;
  outcome.status = Status::denied;
  outcome.violations = {{"executable.not_found", "x", "", ""}};
  EXPECT_EQ(exit_code_of(outcome), 127);
  outcome.violations.push_back({"path.outside_scope", "/x", "", ""});
  EXPECT_EQ(exit_code_of(outcome), 126);
}

}  // namespace
}  // namespace bawn
