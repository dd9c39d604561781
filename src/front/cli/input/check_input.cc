#include "front/cli/input/check_input.h"

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "base/visible.h"
#include "front/cli/command.h"
#include "front/cli/input/files.h"
#include "front/cli/input/home_guard.h"
#include "json/print.h"
#include "outcome/denial.h"
#include "outcome/render.h"
#include "policy/text/names.h"

namespace bawn::cli {

PolicyDefault policy_default(const Invocation& invocation) {
  return invocation.request_file ? PolicyDefault::none : PolicyDefault::workspace;
}

Result<CheckInput> read_check_input(std::string_view subcommand, const Invocation& invocation) {
  if (invocation.request_file.has_value() != invocation.command.empty()) {
    return invalid_error(concat("expected either a command, 'bawn ", subcommand,
                                " [options] -- CMD [ARG...]', or --request FILE"));
  }
  if (!invocation.request_file) {
    return CheckInput{
        .request = {.command = invocation.command.front(),
                    .args = {invocation.command.begin() + 1, invocation.command.end()}}};
  }
  auto text = read_request_text(*invocation.request_file);
  if (!text) return text.error().within("--request");
  auto parsed = parse_request(std::move(text).value());
  if (const auto* problems = std::get_if<std::vector<json::Problem>>(&parsed)) {
    return CheckInput{.source = RequestSource::model,
                      .problems = invalid_request_outcome(*problems).violations};
  }
  return CheckInput{.request = std::get<Request>(std::move(parsed)),
                    .source = RequestSource::model};
}

Result<RunOptions> preview_options(const CheckInput& input, LoadedPolicy& loaded) {
  const bool is_typed = input.source == RequestSource::person;
  RunOptions options{.source = input.source,
                     .stdio = is_typed ? StdioMode::capture_output : StdioMode::capture,
                     .inputs = std::move(loaded.inputs)};
  BAWN_ASSIGN(options.workspace, workspace_by_default(loaded.sourced.policy));
  return options;
}

Result<void> add_place_by_accident(const Policy& policy, const CheckInput& input,
                                   const std::string& current, Checked& checked) {
  if (input.source != RequestSource::person) return {};
  BAWN_ASSIGN(auto place, place_by_accident(policy, current));
  if (!place) return {};
  checked.violations.insert(checked.violations.begin(), *std::move(place));
  checked.tier.reset();
  checked.failed = true;  // as `bawn run`, which does not start
  return {};
}

int exit_code_of(const Checked& checked) {
  if (checked.failed) return kExitFailed;
  return checked.allowed() ? 0 : exit_code_of(denied_outcome("", checked.violations));
}

std::string checked_json(const Checked& checked) {
  nlohmann::ordered_json out;
  out["schema"] = "bawn.check.v1";
  out["allowed"] = checked.allowed();
  out["tier"] =
      checked.tier ? nlohmann::ordered_json(to_string(*checked.tier)) : nlohmann::ordered_json();
  out["violations"] = nlohmann::ordered_json::array();
  for (const Violation& violation : checked.violations) {
    out["violations"].push_back({{"code", violation.code},
                                 {"subject", violation.subject},
                                 {"message", violation.message},
                                 {"hint", violation.hint}});
  }
  out["repairs"] = checked.repairs;
  return concat(json::visible_json(out), "\n");
}

std::string checked_text(const Checked& checked) {
  std::string out;
  for (const std::string& repair : checked.repairs)
    out += concat("repaired: ", visible(repair, Layout::one_line), "\n");
  for (const Violation& violation : checked.violations) {
    out += concat(checked.failed ? "failed" : verdict_of(violation), ": ", violation.code, ": ",
                  visible(violation.message, Layout::one_line), "\n");
    if (!violation.hint.empty())
      out += concat("  hint: ", visible(violation.hint, Layout::one_line), "\n");
  }
  if (checked.allowed())
    out += concat("allowed in tier ", checked.tier ? to_string(*checked.tier) : "?", "\n");
  return out;
}

}  // namespace bawn::cli
