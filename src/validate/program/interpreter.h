// Programs that run code given to them, and where that code stands.
//
// "Interpreter" here means: whoever may start it can make it do anything a program can do, by an
// argument, a file or its standard input. That is a wider circle than languages: editors with shell
// escapes, build tools and debuggers belong to it. The table in interpreter.cc gives the reason
// where it is not obvious.
//
// A table of names is never complete: with `"allow": "all"` it is a check for honest mistakes, and
// a list of allowed programs is the real one. Left out on purpose: pagers and other programs that
// obey a person at a terminal only, and scripts, whose first line names an interpreter.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bawn {

struct Interpreter {
  std::string_view family;  // as program_family() or plain_program_name() gives it
  std::string_view
      code_letters;  // short options followed by code, alone or in a cluster: "-e", "-pe"
  std::string_view value_letters;  // short options followed by something else
  std::string_view code_options;   // long options with code, blank-separated, with their dashes
  std::string_view value_options;  // long options followed by something else
  enum class First { script, code } first_operand = First::script;
  bool is_shell = false;
};

// Null if the name is none. The name may carry a path, a version or a variant.
[[nodiscard]] const Interpreter* find_interpreter(std::string_view name);

struct CodeUse {
  bool inline_code = false;  // code stands in an argument
  std::string code;          // that code; kUnknownByte if the argument is missing
  bool reads_stdin = false;  // neither code nor a script is named, so standard input is the program
};

[[nodiscard]] CodeUse find_code(const Interpreter& interpreter, std::span<const std::string> args);

}  // namespace bawn
