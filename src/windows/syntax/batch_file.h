// Batch files. Windows starts them by giving their whole command line to cmd.exe, which reads it as
// code of its own.
//
// cmd.exe knows no escape that every batch file hands on unharmed, so words in which it would see
// more than text are refused rather than quoted. A batch file is an interpreter's program: whether
// one may run at all is the policy's decision.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::windows {

// By its extension, .bat or .cmd in any case: that is how CreateProcessW tells.
[[nodiscard]] bool is_batch_file(std::string_view path);

// By its name, with or without .exe, in any case.
[[nodiscard]] bool is_command_processor(std::string_view path);

// What cmd.exe would see in the word besides text, as "'%'"; "" if nothing.
[[nodiscard]] std::string reinterpreted_in(std::string_view word);

// cmd.exe with one batch file, the first word, and its arguments. An error names the word that
// cannot be passed.
[[nodiscard]] Result<std::string> batch_command_line(std::string_view processor,
                                                     std::span<const std::string> words);

}  // namespace bawn::windows
