// Any bytes are either a request within every cap or a list of problems that can be shown. Nothing
// after the parser may break on what the parser accepted.
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "outcome/denial.h"
#include "outcome/outcome.h"
#include "outcome/render.h"
#include "request/request.h"

namespace {

using bawn::Request;
using bawn::json::Problem;

void require(bool property) {
  if (!property) __builtin_trap();
}

// Written independently of the rules that it checks.
void require_caps(const Request& request) {
  const auto clean = [](const std::string& text, std::size_t most) {
    require(text.size() <= most && text.find('\0') == std::string::npos);
  };
  require(!request.command.empty());
  clean(request.command, bawn::kMaxCommandBytes);
  require(request.args.size() <= bawn::kMaxArguments);
  for (const std::string& arg : request.args) clean(arg, bawn::kMaxArgumentBytes);
  clean(request.cwd, bawn::kMaxCwdBytes);
  require(request.env.size() <= bawn::kMaxEnvironment);
  for (const auto& [key, value] : request.env) {
    require(!key.empty() && key.find('=') == std::string::npos);
    clean(key, bawn::kMaxEnvironmentKeyBytes);
    clean(value, bawn::kMaxEnvironmentValueBytes);
  }
  if (request.stdin_text) clean(*request.stdin_text, bawn::kMaxStdinBytes);
  require(request.requested_egress_hosts.size() <= bawn::kMaxRequestedHosts);
  for (const std::string& host : request.requested_egress_hosts) clean(host, bawn::kMaxHostBytes);
  require(!request.timeout_ms ||
          (*request.timeout_ms >= 1 && *request.timeout_ms <= bawn::kMaxTimeoutMs));
  clean(request.run_id, bawn::kMaxRunIdBytes);
  require(request.run_id.find('/') == std::string::npos && request.run_id != "..");
}

void check_problems(const std::vector<Problem>& problems) {
  require(!problems.empty() && problems.size() <= bawn::json::kMaxListedProblems + 1);
  for (const Problem& problem : problems) {
    require(!problem.message.empty() && problem.line >= 1 && problem.column >= 1);
    for (const char c : problem.where) require(static_cast<unsigned char>(c) >= 0x20 && c != 0x7f);
  }
  const bawn::Outcome outcome = bawn::invalid_request_outcome(problems);
  const auto json = nlohmann::json::parse(bawn::outcome_json(outcome), nullptr, false);
  require(!json.is_discarded() && json.at("error").at("kind") == "invalid_input");
  require(json.at("violations").size() == problems.size() && json.at("success") == false);
  for (const char c : bawn::render_denial(outcome, bawn::Colour::off)) {
    require(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  }
}

void check_request_value(Request request) {
  require_caps(request);
  require(bawn::check_request(request, bawn::RequestSource::model).empty());
  require(bawn::check_request(request, bawn::RequestSource::person).empty());
  const Request before = request;
  const auto repairs = bawn::normalise_request(request);
  require_caps(request);
  require(repairs.size() <= 2 && repairs.empty() == (request == before));
  require(request.command == before.command && request.env == before.env);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto result = bawn::parse_request(std::string(reinterpret_cast<const char*>(data), size));
  if (const auto* problems = std::get_if<std::vector<Problem>>(&result)) {
    check_problems(*problems);
  } else {
    check_request_value(std::get<Request>(result));
  }
  return 0;
}
