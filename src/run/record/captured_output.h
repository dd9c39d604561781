// The captured output of a run: a redactor for each stream, and the code that puts the result into
// the outcome.
//
// The pump borrows the redactors as filters, so this must outlive the pump. One object serves one
// run; it is not thread-safe.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "api/run_options.h"
#include "capture/intake.h"
#include "capture/redactor.h"
#include "outcome/outcome.h"
#include "policy/limit.h"

namespace bawn {

struct Policy;

// The function that gets one stream's output as it comes: the caller's, and one that writes the log
// file. Empty if the options have neither.
[[nodiscard]] OutputConsumer consumer_of(const RunOptions& options, Stream stream);

// Reports output that did not reach its target: the command's write() succeeded, so the command
// cannot know. EPIPE is not reported: the reader closed its end.
void tell_lost_output(std::string_view name, const PumpedStream& stream, const Limits& limits,
                      Outcome& outcome);

class CapturedOutput {
 public:
  // `environment` is the command's, each entry NAME=VALUE. A value that the policy set or passed on
  // is a secret if it looks like a credential by name or shape.
  CapturedOutput(const Policy& policy, std::span<const std::string> environment);

  // Filters for the pump; borrowed. Null if the policy disables redaction.
  [[nodiscard]] ByteFilter* stdout_filter() { return redacts_ ? &out_ : nullptr; }
  [[nodiscard]] ByteFilter* stderr_filter() { return redacts_ ? &err_ : nullptr; }

  // Adds streams, truncation and redaction counts to the outcome. Call after the pump has finished.
  void write(const PumpedStream& out, const PumpedStream& err, Outcome& outcome) const;

 private:
  bool redacts_;
  Redactor out_;
  Redactor err_;
};

}  // namespace bawn
