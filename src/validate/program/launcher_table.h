// The launchers whose command can be found by skipping options and operands, as data.
#pragma once

#include <cstddef>
#include <string_view>

#include "validate/program/option_reader.h"

namespace bawn {

enum class Tail {
  command,      // the rest is the command and its arguments
  shell_words,  // the rest is joined and given to a shell
  other_root,   // the rest is a command of another file system
};

// The lists of options are blank-separated names as read_options() gives them.
struct Launcher {
  std::string_view name;
  OptionGrammar options;
  std::size_t operands = 0;      // words between the options and the command
  bool optional_number = false;  // the operand is a number and newer versions do without it
  Tail tail = Tail::command;
  std::string_view code_options;  // their value is shell code
  std::string_view no_shell;    // with one of these the words of a shell_words tail go to no shell
  std::string_view no_command;  // with one of these nothing is started
  std::string_view new_directory;  // with one of these relative names mean something else
  std::string_view new_root;       // with one of these every name means something else
  bool shell_without_command = false;
};

// Null if the name (in lower case, without a path) is not in the table.
[[nodiscard]] const Launcher* find_launcher(std::string_view name);

}  // namespace bawn
