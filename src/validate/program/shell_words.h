// Reads shell code as far as needed to see which programs it starts.
//
// Not a shell: it knows quotes, escapes, operators, keywords, redirections, here-documents and
// substitutions, and evaluates nothing. Where a word's text depends on an expansion the word holds
// kUnknownByte, so that it can never be mistaken for a name. Code that is built at run time (`eval
// "$x"`, `$cmd`) stays invisible: lists of blocked programs are a check for honest mistakes there,
// and an allow list without interpreters is the real one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "validate/program/command_words.h"

namespace bawn {

struct ShellCode {
  // Every simple command, also those in substitutions, without assignments, redirections and
  // keywords.
  std::vector<std::vector<std::string>> commands;
  // The code again with quotes removed, operators set apart and single blanks, so that a text can
  // be found whatever the spelling. Redirections to /dev/null and the standard streams are left
  // out.
  std::string rendered;
  // False if a quote or bracket is left open; `commands` then holds what was understood.
  bool balanced = true;
};

[[nodiscard]] ShellCode read_shell(std::string_view code);

// True if `pattern` occurs in the code or in its rendering. A pattern that begins or ends with a
// name matches whole names there: "| sh" is found in "x | sh" and not in "x | sha256sum". An option
// at its end may go on: "rm -rf" is found in "rm -rfv".
[[nodiscard]] bool shell_code_contains(std::string_view code, std::string_view rendered,
                                       std::string_view pattern);

}  // namespace bawn
