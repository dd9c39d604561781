#include "outcome/denial.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/text.h"

namespace bawn {
namespace {

struct KindOfCode {
  std::string_view family;  // the beginning of a code, with the first dot
  FailureKind kind;
};

constexpr auto kFamilies = std::to_array<KindOfCode>({
    {"cwd.", FailureKind::workspace_scope_denied},
    {"egress.", FailureKind::egress_denied},
    {"landlock.", FailureKind::unsupported_platform},
    {"limit.", FailureKind::unsupported_platform},
    {"path.", FailureKind::workspace_scope_denied},
    {"tier.", FailureKind::unsupported_platform},
    {"workspace.", FailureKind::workspace_scope_denied},
});

constexpr auto kByPriority = std::to_array<FailureKind>({
    FailureKind::workspace_scope_denied,
    FailureKind::egress_denied,
    FailureKind::invalid_input,
    FailureKind::unsupported_platform,
});

FailureKind kind_of(std::string_view code) {
  for (const KindOfCode& known : kFamilies) {
    if (code.starts_with(known.family)) return known.kind;
  }
  return FailureKind::invalid_input;
}

std::string summary(const Violations& violations) {
  if (violations.empty()) return "denied";
  const std::size_t more = violations.size() - 1;
  if (more == 0) return violations[0].message;
  return concat(violations[0].message, " (and ", more,
                more == 1 ? " more violation)" : " more violations)");
}

Violation violation_of(const json::Problem& problem) {
  std::string message = problem.message;
  if (problem.line != 0)
    message = concat("line ", problem.line, ", column ", problem.column, ": ", message);
  return {"request.invalid", problem.where, std::move(message), problem.hint};
}

}  // namespace

FailureKind denial_kind(const Violations& violations) {
  for (const FailureKind kind : kByPriority) {
    const auto is_kind = [&](const Violation& violation) {
      return kind_of(violation.code) == kind;
    };
    if (std::any_of(violations.begin(), violations.end(), is_kind)) return kind;
  }
  return FailureKind::invalid_input;
}

Outcome denied_outcome(std::string run_id, Violations violations,
                       std::vector<std::string> repairs) {
  Outcome outcome;
  outcome.run_id = std::move(run_id);
  outcome.status = Status::denied;
  outcome.error = Failure{denial_kind(violations), summary(violations), "",
                          violations.empty() ? std::string() : violations[0].hint};
  outcome.violations = std::move(violations);
  outcome.repairs = std::move(repairs);
  return outcome;
}

Outcome invalid_request_outcome(const std::vector<json::Problem>& problems) {
  Violations violations;
  for (const json::Problem& problem : problems) violations.push_back(violation_of(problem));
  return denied_outcome("", std::move(violations));
}

Outcome failed_outcome(std::string run_id, FailureKind kind, std::string message, std::string step,
                       std::string hint) {
  Outcome outcome;
  outcome.run_id = std::move(run_id);
  outcome.status = Status::failed;
  outcome.error = Failure{kind, std::move(message), std::move(step), std::move(hint)};
  return outcome;
}

}  // namespace bawn
