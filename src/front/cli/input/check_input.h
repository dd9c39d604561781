// Input and output that `bawn check` and `bawn explain` share: the command or request to judge, and
// the verdict as text, JSON or exit code.
//
// Nothing here starts a command. The verdict is about the host as it is now; it is no permission
// for a later run, which validates again.
#pragma once

#include <string>
#include <string_view>

#include "api/run.h"
#include "base/result.h"
#include "front/cli/input/policy_source.h"
#include "front/cli/invocation.h"

namespace bawn::cli {

struct CheckInput {
  Request request;
  RequestSource source = RequestSource::person;
  Violations problems;  // the request's text could not be parsed; `request` is then empty
};

// Reads the command behind the options (source: person) or the file of --request (source: model).
// An error if both or neither were given, or if the file cannot be read. A request that is not
// valid is no error: its mistakes are in `problems`.
[[nodiscard]] Result<CheckInput> read_check_input(std::string_view subcommand,
                                                  const Invocation& invocation);

// A command that a person typed has a default policy; a request must come with a named one.
[[nodiscard]] PolicyDefault policy_default(const Invocation& invocation);

// The options of the run that is judged. For a command that a person typed, stdin is the caller's,
// as `bawn run` would have it; stdout is not looked at, because the verdict is written there.
[[nodiscard]] Result<RunOptions> preview_options(const CheckInput& input, LoadedPolicy& loaded);

// If `bawn run` would refuse `current` as its workspace (home_guard.h), puts that violation first
// and clears the tier. Does nothing for a model's request: that is for `bawn exec`, which has no
// such guard.
[[nodiscard]] Result<void> add_place_by_accident(const Policy& policy, const CheckInput& input,
                                                 const std::string& current, Checked& checked);

// 0 if it is allowed, and otherwise the exit code of `bawn run`.
[[nodiscard]] int exit_code_of(const Checked& checked);

// Both end in a newline and are safe to print on a terminal. The JSON is one line, schema
// "bawn.check.v1".
[[nodiscard]] std::string checked_json(const Checked& checked);
[[nodiscard]] std::string checked_text(const Checked& checked);

}  // namespace bawn::cli
