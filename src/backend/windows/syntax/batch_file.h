// Batch files. Windows starts one by passing its whole command line to cmd.exe, which interprets it
// as code.
//
// No escape survives every batch file, so arguments in which cmd.exe would see more than text are
// refused and not quoted. A batch file is an interpreter's program: the policy decides whether one
// may run at all.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "policy/tier.h"
#include "validate/violation.h"

namespace bawn {
struct ExecutablesPolicy;
}  // namespace bawn

namespace bawn::windows {

// True for .bat and .cmd in any case: CreateProcessW decides by extension too.
[[nodiscard]] bool is_batch_file(std::string_view path);

// True for cmd with or without .exe, in any case.
[[nodiscard]] bool is_command_processor(std::string_view path);

// The character that cmd.exe would interpret, as "'%'"; "" if there is none.
[[nodiscard]] std::string reinterpreted_in(std::string_view word);

// The command line of cmd.exe for a batch file (the first word) and its arguments. The error names
// the word that cannot be passed.
[[nodiscard]] Result<std::string> batch_command_line(std::string_view processor,
                                                     std::span<const std::string> words);

// The violations of a command that cmd.exe would interpret: a batch file, or cmd.exe itself.
// `program` is the file that would run, `args` its arguments as they were typed. Codes:
// executable.interpreter, argument.reinterpreted.
[[nodiscard]] Violations judge_batch(const ExecutablesPolicy& policy, Tier tier,
                                     std::string_view program, std::span<const std::string> args);

}  // namespace bawn::windows
