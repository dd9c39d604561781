// Reads shell code to find the programs that it starts.
//
// This is no shell. It knows quotes, escapes, operators, keywords, redirections, here-documents and
// substitutions, and it evaluates nothing. A word whose text depends on an expansion contains
// kUnknownByte, so that it can never be mistaken for a name.
//
// Code that is built at run time (`eval "$x"`, `$cmd`) stays invisible. So a block list applied to
// shell code catches honest mistakes only; the real check is an allow list without interpreters.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validate/shell/command_words.h"

namespace bawn {

// What was read. Owns its strings.
struct ShellCode {
  // Every simple command, also those in substitutions, without leading assignments, redirections
  // and keywords. Each has at least one word.
  std::vector<std::vector<std::string>> commands;
  // The code in a uniform spelling: without quotes, and with one space around words and operators.
  // A pattern can be found in it however the code was spelled. Redirections to /dev/null,
  // /dev/stdout, /dev/stderr and /dev/tty are left out.
  std::string rendered;
  // False if a quote, a backtick or `${` is left open, or if the code is nested too deeply.
  // `commands` then holds what was understood. An open `(` or `$(` is not noticed.
  bool balanced = true;
};

// Never fails; see `balanced`.
[[nodiscard]] ShellCode read_shell(std::string_view code);

// True if `pattern` occurs in the code or in its uniform spelling. A pattern that begins or ends
// with a name matches whole names only: "| sh" is found in "x | sh" but not in "x | sha256sum". An
// option at the end of the pattern may continue: "rm -rf" is found in "rm -rfv".
[[nodiscard]] bool shell_code_contains(std::string_view code, std::string_view rendered,
                                       std::string_view pattern);

}  // namespace bawn
