#include "run/record/captured_output.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/text.h"
#include "capture/captured_text.h"
#include "policy/credential_name.h"
#include "policy/policy.h"
#include "policy/text/hint.h"
#include "supervise/ending.h"

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

// Returns 0, or the errno with which the rest was not written.
int write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto written = ::write(fd, bytes.data(), static_cast<unsigned>(bytes.size()));
    if (written < 0 && errno != EINTR) return errno;
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

CapturedStream stream_record(const PumpedStream& stream) {
  CapturedText text =
      make_captured_text(stream.kept, stream.truncated ? StreamEnd::cut : StreamEnd::whole);
  return {std::move(text.data), text.base64 ? Encoding::base64 : Encoding::utf8, stream.bytes};
}

}  // namespace

void tell_lost_output(std::string_view name, const PumpedStream& stream, const Limits& limits,
                      Outcome& outcome) {
  if (stream.unread > 0 && outcome.error)
    outcome.error->message +=
        concat("; ", stream.unread, " bytes of its ", name, " were not read in time and are lost");
  const int error = stream.relay_errno;
  if (error == 0 || error == EPIPE) return;
  if (error == EFBIG && limits.file_bytes)
    return end_by_quota(outcome, "file_size",
                        concat("the file that is its ", name, " reached the file-size limit of ",
                               *limits.file_bytes, " bytes"),
                        raise_limit("limits.file_bytes", limits.file_bytes));
  if (outcome.success()) outcome.status = Status::failed;
  if (outcome.error) return;
  outcome.error = Failure{
      .message = concat("the command has run, but its ", name,
                        " could not be written: ", errno_text(error)),
      .hint = concat("check the file that ", name, " is written to, and the space on its disk")};
}

OutputConsumer consumer_of(const RunOptions& options, Stream stream) {
  const int log = stream == Stream::out ? options.stdout_log : options.stderr_log;
  if (!options.on_output && log < 0) return {};
  return [on_output = options.on_output, stream, log](std::string_view bytes) {
    if (on_output) on_output(stream, bytes);
    return log < 0 ? 0 : write_all(log, bytes);
  };
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
