// A question about a command that is not run: which command is meant, and the answer "no" with its
// reasons. Shared by `check` and `explain`.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/invocation.h"
#include "cli/policy_source.h"
#include "run/bawn.h"

namespace bawn::cli {

struct CheckInput {
  Request request;
  RequestSource source = RequestSource::person;
  Violations problems;  // of a request that could not be read
};

// The words of the command line are a person's; a request in a file is a model's.
[[nodiscard]] Result<CheckInput> read_check_input(std::string_view subcommand,
                                                  const Invocation& invocation);
[[nodiscard]] PolicyDefault policy_default(const Invocation& invocation);

// Adds why `bawn run` would not even begin in `current`. A model's request is for `bawn exec`,
// which has its policy named.
[[nodiscard]] Result<void> add_place_by_accident(const Policy& policy, const CheckInput& input,
                                                 const std::string& current, Checked& checked);

// 0, kExitDenied or kExitFailed.
[[nodiscard]] int exit_code_of(const Checked& checked);

// Each ends in a newline. The JSON is one line, schema "bawn.check.v1".
[[nodiscard]] std::string checked_json(const Checked& checked);
[[nodiscard]] std::string checked_text(const Checked& checked);

}  // namespace bawn::cli
