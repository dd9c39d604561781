// Programs that run code given to them, and where that code is.
//
// An "interpreter" is a program that can be made to do anything, by an argument, a file or its
// standard input. That is more than languages: it includes editors with shell escapes, build tools
// and debuggers. Its row (programs/) gives the reason where it is not obvious.
//
// A table of names is never complete. With `"allow": "all"` it catches honest mistakes; only a list
// of allowed programs is a real check. Left out on purpose: pagers and other programs that take
// commands only from a terminal, and scripts, whose first line names an interpreter.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "programs/program.h"

namespace bawn {

// Null if no interpreter has this name. The name may have a path, a version or a variant. The
// pointer points into a static table.
[[nodiscard]] const ProgramRow* find_interpreter(std::string_view name);

// Where one call of an interpreter takes its code from.
struct CodeUse {
  bool inline_code = false;  // an argument is code
  std::string code;          // that argument; kUnknownByte if it is missing
  bool reads_stdin = false;  // standard input is the code: nothing else is named, or `sh -s`
};

// `args` are the words after the interpreter. Stops at the first code or script, as the interpreter
// does.
[[nodiscard]] CodeUse find_code(const ProgramRow& interpreter, std::span<const std::string> args);

}  // namespace bawn
