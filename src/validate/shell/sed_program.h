// Finds the sed programs that run commands.
//
// GNU sed runs commands by the command `e` and by the flag `e` of `s`. Everything else in sed is
// editing, so sed does not count as an interpreter, and its programs are searched for those two.
// What sed reads and writes (`r`, `w`) is not judged here; the kernel enforces that.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validate/program/command_argument.h"

namespace bawn {

// True if the program has an `e`, or if it cannot be parsed well enough to exclude one.
[[nodiscard]] bool sed_program_runs_commands(std::string_view program);

// `args` are the words after `sed`. Adds the arguments that run commands to `found.code`. A program
// file (-f) may hold anything, so it counts as code. With --sandbox sed rejects such programs
// itself.
void search_sed_program(std::span<const std::string> args, ArgumentCommands& found);

}  // namespace bawn
