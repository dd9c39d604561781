#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "cli/command.h"
#include "cli/files.h"
#include "cli/policy_source.h"
#include "outcome/denial.h"
#include "policy/names.h"
#include "run/bawn.h"

namespace bawn::cli {
namespace {

struct Question {
  Request request;
  RequestSource source = RequestSource::person;
  Violations problems;  // of a request that could not be read
};

Result<Question> question_of(const Invocation& invocation) {
  if (invocation.request_file.has_value() != invocation.command.empty()) {
    return invalid_error(
        "expected either a command, 'bawn check [options] -- CMD [ARG...]', or --request FILE");
  }
  if (!invocation.request_file) {
    return Question{.request = {.command = invocation.command.front(),
                                .args = {invocation.command.begin() + 1, invocation.command.end()}}};
  }
  auto text = read_request_text(*invocation.request_file);
  if (!text) return text.error().within("--request");
  auto parsed = parse_request(std::move(text).value());
  if (const auto* problems = std::get_if<std::vector<json::Problem>>(&parsed)) {
    return Question{.problems = invalid_request_outcome(*problems).violations};
  }
  return Question{.request = std::get<Request>(std::move(parsed)), .source = RequestSource::model};
}

std::string as_json(const Checked& checked) {
  nlohmann::ordered_json out;
  out["schema"] = "bawn.check.v1";
  out["allowed"] = checked.allowed();
  out["tier"] = checked.tier ? nlohmann::ordered_json(to_string(*checked.tier)) : nlohmann::ordered_json();
  out["violations"] = nlohmann::ordered_json::array();
  for (const Violation& violation : checked.violations) {
    out["violations"].push_back({{"code", violation.code},
                                 {"subject", violation.subject},
                                 {"message", violation.message},
                                 {"hint", violation.hint}});
  }
  out["repairs"] = checked.repairs;
  return concat(out.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace), "\n");
}

std::string as_text(const Checked& checked) {
  std::string out;
  for (const std::string& repair : checked.repairs) out += concat("repaired: ", repair, "\n");
  for (const Violation& violation : checked.violations) {
    out += concat("denied: ", violation.code, ": ", violation.message, "\n");
    if (!violation.hint.empty()) out += concat("  hint: ", violation.hint, "\n");
  }
  if (checked.allowed())
    out += concat("allowed in tier ", checked.tier ? to_string(*checked.tier) : "?", "\n");
  return out;
}

Result<int> check_it(const Invocation& invocation) {
  const PolicyDefault by_default = invocation.request_file ? PolicyDefault::none : PolicyDefault::workspace;
  BAWN_ASSIGN(const SourcedPolicy sourced, load_policy(invocation, by_default));
  BAWN_ASSIGN(const Question question, question_of(invocation));
  RunOptions options{.source = question.source};
  BAWN_ASSIGN(options.workspace, absolute_path("."));
  const Checked checked = question.problems.empty() ? check(sourced.policy, question.request, options)
                                                    : Checked{.violations = question.problems};
  BAWN_TRY(write_text(STDOUT_FILENO, invocation.json ? as_json(checked) : as_text(checked)));
  return checked.allowed() ? 0 : kExitDenied;
}

}  // namespace

int check_command(Words words) {
  const auto invocation = parse_invocation(Subcommand::check, words);
  if (!invocation) return report_failure("check", invocation.error());
  if (invocation.value().help) return print_help("check");
  const auto code = check_it(invocation.value());
  return code ? code.value() : report_failure("check", code.error());
}

}  // namespace bawn::cli
