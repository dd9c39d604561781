// The table of launchers whose command follows their options and operands.
//
// Launchers with a syntax that a table cannot describe (env, xargs, find, busybox, ld.so) are read
// in launcher.cc. An option that is missing here makes the launch uncertain, unless it is spelled
// `--option=value`.
#pragma once

#include <cstddef>
#include <string_view>

#include "validate/program/option_reader.h"

namespace bawn {

// What follows the options and operands.
enum class Tail {
  command,      // the rest is the command and its arguments
  shell_words,  // the rest is joined and passed to a shell
  other_root,   // the rest is a command in another root file system
};

// How one launcher reads its words. Lists of options are names as read_options() returns them,
// separated by spaces. All views have static storage.
struct Launcher {
  std::string_view name;
  OptionGrammar options;
  std::size_t operands = 0;      // words between the options and the command
  bool optional_number = false;  // the operand is a number, and newer versions can omit it
  Tail tail = Tail::command;
  std::string_view code_options;  // the value is shell code
  std::string_view no_shell;  // with one of these the tail is a command, even if it is shell_words
  std::string_view no_command;     // with one of these nothing starts
  std::string_view new_directory;  // with one of these relative names start from another directory
  std::string_view new_root;       // with one of these every name is in another root
  bool shell_without_command = false;  // starts a shell if no command follows
};

// Null if the table lacks the name, which must be in lower case and without a path. The pointer
// points into a static table.
[[nodiscard]] const Launcher* find_launcher(std::string_view name);

}  // namespace bawn
