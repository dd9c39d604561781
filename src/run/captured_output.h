// What is kept of a run's output: each captured stream behind its own redactor, and the record of
// what came through.
#pragma once

#include <span>
#include <string>

#include "capture/intake.h"
#include "capture/redactor.h"
#include "outcome/outcome.h"
#include "policy/policy.h"

namespace bawn {

class CapturedOutput {
 public:
  // `environment` is the command's, NAME=VALUE each. What the policy set or passed on there is a
  // secret if its name says so.
  CapturedOutput(const Policy& policy, std::span<const std::string> environment);

  // For the pump; borrowed. Null if the policy wants the bytes as they are.
  [[nodiscard]] ByteFilter* stdout_filter() { return redacts_ ? &out_ : nullptr; }
  [[nodiscard]] ByteFilter* stderr_filter() { return redacts_ ? &err_ : nullptr; }

  void write(const PumpedStream& out, const PumpedStream& err, Outcome& outcome) const;

 private:
  bool redacts_;
  Redactor out_;
  Redactor err_;
};

}  // namespace bawn
