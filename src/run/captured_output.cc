#include "run/captured_output.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "capture/captured_text.h"
#include "policy/credential_name.h"
#include "policy/policy.h"

namespace bawn {
namespace {

// The policy set or passed the variable. A value from the request is known to its author and is no
// secret.
bool is_given(const EnvironmentPolicy& policy, const std::string& name) {
  return policy.set.contains(name) ||
         std::find(policy.pass.begin(), policy.pass.end(), name) != policy.pass.end();
}

// Switches and small numbers are no secrets under any name (MAX_TOKENS=4096). Redacting every
// occurrence would garble the output.
bool is_setting(std::string_view value) {
  static constexpr std::string_view kSwitches[] = {"true", "false",   "none",    "null",
                                                   "auto", "default", "enabled", "disabled"};
  constexpr std::size_t kSmall = 7;
  if (std::find(std::begin(kSwitches), std::end(kSwitches), ascii_lower(value)) !=
      std::end(kSwitches))
    return true;
  return value.size() <= kSmall && value.find_first_not_of("0123456789.") == std::string_view::npos;
}

// The command may print values that the policy put into its environment.
std::vector<std::string> secrets_of(const Policy& policy,
                                    std::span<const std::string> environment) {
  std::vector<std::string> secrets = policy.redaction.secrets;
  for (const std::string& variable : environment) {
    const std::string name = variable.substr(0, variable.find('='));
    const std::string value = variable.substr(name.size() + 1);
    if (is_given(policy.environment, name) && is_credential(name, value) && !is_setting(value))
      secrets.push_back(value);
  }
  return secrets;
}

CapturedStream stream_record(const PumpedStream& stream) {
  CapturedText text =
      make_captured_text(stream.kept, stream.truncated ? StreamEnd::cut : StreamEnd::whole);
  return {std::move(text.data), text.base64 ? Encoding::base64 : Encoding::utf8, stream.bytes};
}

}  // namespace

OutputConsumer consumer_of(const RunOptions& options, Stream stream) {
  if (!options.on_output) return {};
  return
      [on_output = options.on_output, stream](std::string_view bytes) { on_output(stream, bytes); };
}

CapturedOutput::CapturedOutput(const Policy& policy, std::span<const std::string> environment)
    : redacts_(policy.redaction.enabled),
      out_(secrets_of(policy, environment)),
      err_(secrets_of(policy, environment)) {}

void CapturedOutput::write(const PumpedStream& out, const PumpedStream& err,
                           Outcome& outcome) const {
  outcome.stdout_stream = stream_record(out);
  outcome.stderr_stream = stream_record(err);
  outcome.truncated = out.truncated || err.truncated;
  for (const Redactor* redactor : {&out_, &err_}) {
    for (const auto& [kind, count] : redactor->counts()) outcome.redactions[kind] += count;
  }
}

}  // namespace bawn
