#include "run/output_record.h"

#include <string>
#include <utility>
#include <vector>

#include "capture/record.h"
#include "policy/credential_name.h"

namespace bawn {
namespace {

// What the policy itself puts into the command's environment may come back in its output.
std::vector<std::string> secrets_of(const Policy& policy) {
  std::vector<std::string> secrets = policy.redaction.secrets;
  for (const auto& [name, value] : policy.environment.set) {
    if (looks_like_credential(name)) secrets.push_back(value);
  }
  return secrets;
}

CapturedStream stream_record(const PumpedStream& stream) {
  RecordText text = make_record(stream.kept, stream.truncated ? StreamEnd::cut : StreamEnd::whole);
  return {std::move(text.data), text.base64 ? Encoding::base64 : Encoding::utf8, stream.bytes};
}

}  // namespace

OutputRecord::OutputRecord(const Policy& policy)
    : redacts_(policy.redaction.enabled), out_(secrets_of(policy)), err_(secrets_of(policy)) {}

void OutputRecord::write(const PumpedStream& out, const PumpedStream& err, Outcome& outcome) const {
  outcome.stdout_stream = stream_record(out);
  outcome.stderr_stream = stream_record(err);
  outcome.truncated = out.truncated || err.truncated;
  for (const Redactor* redactor : {&out_, &err_}) {
    for (const auto& [kind, count] : redactor->counts()) outcome.redactions[kind] += count;
  }
}

}  // namespace bawn
