// Violations for commands that cmd.exe would interpret: batch files, and cmd.exe itself.
//
// Pure. Codes: executable.interpreter, argument.reinterpreted. Part of the validation on Windows;
// batch_file.h builds the command line of what passes.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "policy/tier.h"
#include "validate/violation.h"

namespace bawn {
struct ExecutablesPolicy;
}  // namespace bawn

namespace bawn::windows {

// `program` is the file that would run, `args` its arguments as they were typed.
[[nodiscard]] Violations judge_batch(const ExecutablesPolicy& policy, Tier tier,
                                     std::string_view program, std::span<const std::string> args);

}  // namespace bawn::windows
