#include "outcome/outcome.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "json/print.h"
#include "policy/text/names.h"

namespace bawn {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kWallTimeCode = 124;
constexpr int kFailedCode = 125;
constexpr int kDeniedCode = 126;
constexpr int kNotFoundCode = 127;
constexpr int kSignalBase = 128;
constexpr int kKilledCode = kSignalBase + 9;
constexpr int kInterruptedCode = kSignalBase + 2;

std::string_view name_of(Encoding encoding) {
  return encoding == Encoding::utf8 ? "utf-8" : "base64";
}

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

Json number_or_null(const std::optional<int>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json error_json(const std::optional<Failure>& error) {
  if (!error) return nullptr;
  return {{"kind", to_string(error->kind)},
          {"message", error->message},
          {"step", error->step},
          {"hint", error->hint}};
}

Json usage_json(const Usage& usage) {
  return {{"cpu_user_ms", usage.cpu_user_ms},
          {"cpu_system_ms", usage.cpu_system_ms},
          {"max_rss_bytes", usage.max_rss_bytes}};
}

struct ValueJson {
  Json operator()(std::monostate) const { return nullptr; }
  Json operator()(const auto& value) const { return value; }
};

Json evidence_json(const Evidence& evidence) {
  Json out = Json::object();
  for (const EvidenceField& field : evidence)
    out[std::string(field.name)] = std::visit(ValueJson{}, field.value);
  return out;
}

Json enforcement_json(const std::vector<Enforcement>& layers) {
  Json out = Json::array();
  for (const Enforcement& layer : layers) {
    out.push_back({{"layer", layer.layer},
                   {"state", to_string(layer.state)},
                   {"evidence", evidence_json(layer.evidence)}});
  }
  return out;
}

Json violations_json(const Violations& violations) {
  Json out = Json::array();
  for (const Violation& violation : violations) {
    out.push_back({{"code", violation.code},
                   {"subject", violation.subject},
                   {"message", violation.message},
                   {"hint", violation.hint}});
  }
  return out;
}

Json handoff_json(const std::optional<std::vector<Handoff>>& handoff) {
  if (!handoff) return nullptr;
  Json out = Json::array();
  for (const Handoff& each : *handoff) {
    out.push_back({{"path", each.path},
                   {"key", text_or_null(each.key)},
                   {"obeyed_by", text_or_null(each.obeyed_by)},
                   {"effect", each.effect},
                   {"change", to_string(each.change)}});
  }
  return out;
}

Json timing_json(const std::vector<TimedStep>& timing) {
  Json out = Json::array();
  for (const TimedStep& timed : timing) out.push_back({{"step", timed.step}, {"ns", timed.ns}});
  return out;
}

int denial_code(const Violations& violations) {
  const bool only_not_found =
      !violations.empty() &&
      std::all_of(violations.begin(), violations.end(), [](const Violation& violation) {
        return violation.code == "executable.not_found";
      });
  return only_not_found ? kNotFoundCode : kDeniedCode;
}

bool ended_by_wall_time(const Outcome& outcome) {
  return outcome.limit == "wall_time" ||
         (outcome.limit.empty() && outcome.status == Status::timed_out);
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::exited:
      return "exited";
    case Status::signaled:
      return "signaled";
    case Status::timed_out:
      return "timed_out";
    case Status::quota_exceeded:
      return "quota_exceeded";
    case Status::denied:
      return "denied";
    case Status::failed:
      return "failed";
    case Status::cancelled:
      return "cancelled";
    case Status::running:
      return "running";
  }
  return "unknown";
}

std::string_view to_string(FailureKind kind) {
  switch (kind) {
    case FailureKind::disabled:
      return "disabled";
    case FailureKind::unsupported_platform:
      return "unsupported_platform";
    case FailureKind::cancelled:
      return "cancelled";
    case FailureKind::invalid_input:
      return "invalid_input";
    case FailureKind::workspace_scope_denied:
      return "workspace_scope_denied";
    case FailureKind::egress_denied:
      return "egress_denied";
    case FailureKind::quota_exceeded:
      return "quota_exceeded";
    case FailureKind::timed_out:
      return "timed_out";
    case FailureKind::spawn_failed:
      return "spawn_failed";
    case FailureKind::runtime_failure:
      return "runtime_failure";
  }
  return "unknown";
}

std::string_view to_string(LayerState state) {
  switch (state) {
    case LayerState::enforced:
      return "enforced";
    case LayerState::partial:
      return "partial";
    case LayerState::absent:
      return "absent";
    case LayerState::not_requested:
      return "not_requested";
  }
  return "unknown";
}

std::string_view to_string(HandoffChange change) {
  switch (change) {
    case HandoffChange::is_new:
      return "new";
    case HandoffChange::changed:
      return "changed";
    case HandoffChange::not_looked_at:
      return "not_looked_at";
  }
  return "unknown";
}

std::string outcome_json(const Outcome& outcome) {
  Json json = {
      {"schema", "bawn.outcome.v1"},
      {"run_id", text_or_null(outcome.run_id)},
      {"status", to_string(outcome.status)},
      {"success", outcome.success()},
      {"exit_code", number_or_null(outcome.exit_code)},
      {"signal", number_or_null(outcome.signal)},
      {"error", error_json(outcome.error)},
      {"limit", text_or_null(outcome.limit)},
      {"stdout", outcome.stdout_stream.data},
      {"stderr", outcome.stderr_stream.data},
      {"stdout_bytes", outcome.stdout_stream.bytes},
      {"stderr_bytes", outcome.stderr_stream.bytes},
      {"truncated", outcome.truncated},
      {"redactions", outcome.redactions.empty() ? Json::object() : Json(outcome.redactions)},
      {"encoding",
       {{"stdout", name_of(outcome.stdout_stream.encoding)},
        {"stderr", name_of(outcome.stderr_stream.encoding)}}},
      {"duration_ms", outcome.duration_ms},
      {"usage", usage_json(outcome.usage)},
      {"tier", outcome.tier ? Json(to_string(*outcome.tier)) : Json(nullptr)},
      {"executor", text_or_null(outcome.executor)},
      {"was_sandboxed", outcome.was_sandboxed},
      {"enforcement", enforcement_json(outcome.enforcement)},
      {"violations", violations_json(outcome.violations)},
      {"handoff", handoff_json(outcome.handoff)},
      {"repairs", outcome.repairs},
  };
  if (!outcome.timing.empty()) json["timing"] = timing_json(outcome.timing);
  return json::visible_json(json);
}

int exit_code_of(const Outcome& outcome) {
  switch (outcome.status) {
    case Status::exited:
      return outcome.exit_code.value_or(kFailedCode);
    case Status::signaled:
      return outcome.signal ? kSignalBase + *outcome.signal : kFailedCode;
    case Status::timed_out:
    case Status::quota_exceeded:
      return ended_by_wall_time(outcome) ? kWallTimeCode : kKilledCode;
    case Status::denied:
      return denial_code(outcome.violations);
    case Status::failed:
      return kFailedCode;
    case Status::cancelled:
      return outcome.signal ? kSignalBase + *outcome.signal : kInterruptedCode;
    case Status::running:
      return 0;
  }
  return kFailedCode;
}

}  // namespace bawn
