// The captured output of a run: a redactor for each stream, and the code that puts the result into
// the outcome.
//
// The pump borrows the redactors as filters, so this must outlive the pump. One object serves one
// run; it is not thread-safe.
#pragma once

#include <span>
#include <string>

#include "api/run_options.h"
#include "capture/intake.h"
#include "capture/redactor.h"
#include "outcome/outcome.h"

namespace bawn {

struct Policy;

// The function that gets one stream's output as it comes; empty if the options have none.
[[nodiscard]] OutputConsumer consumer_of(const RunOptions& options, Stream stream);

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
