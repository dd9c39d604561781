// Joins arguments into one command line, which is all that a Windows process gets.
//
// Programs split it by the rules that Microsoft documents for CommandLineToArgvW and its C runtime:
// a backslash is literal unless a quote follows, `\"` is a quote, a word ends at a blank outside
// quotes. Both read this output back as the same words; tests show it for generated words and for a
// real child.
//
// Not for cmd.exe, which splits by other rules: see backend/windows/syntax/batch_file.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::windows {

// The limit of CreateProcessW, in UTF-16 units including the terminating NUL.
inline constexpr std::size_t kLongestCommandLine = 32767;

// Quotes one word; not for the first word.
[[nodiscard]] std::string quoted_word(std::string_view word);

// The first word has different rules: it ends at the second quote, and nothing can be escaped. An
// error if it contains a quote, or if any word contains a NUL.
[[nodiscard]] Result<std::string> command_line(std::span<const std::string> words);

}  // namespace bawn::windows
