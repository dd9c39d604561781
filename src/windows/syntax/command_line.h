// Words as one command line, which is all a Windows process is given.
//
// Programs split it again by the rules that Microsoft documents for CommandLineToArgvW and its C
// runtime: backslashes are plain unless a quote follows, `\"` is a quote, a word ends at a blank
// outside of quotes. What is written here is read back as the same words by both, which the tests
// show for made-up words and for a real child.
//
// Not for cmd.exe, which splits by other rules: see spelling/batch_file.h.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bawn::windows {

// What CreateProcessW takes at most, in UTF-16 units with the end mark.
inline constexpr std::size_t kLongestCommandLine = 32767;

// One word that is not the first.
[[nodiscard]] std::string quoted_word(std::string_view word);

// The first word follows rules of its own: it ends at the second quote, and nothing can be escaped.
// An error if it holds a quote, or if any word holds a NUL.
[[nodiscard]] Result<std::string> command_line(std::span<const std::string> words);

}  // namespace bawn::windows
