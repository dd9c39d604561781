// GNU sed can run commands: the command `e` and the flag `e` of `s`. Everything else of sed is
// plain editing, so sed is no interpreter here, and its programs are read for those two.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validate/program/command_argument.h"

namespace bawn {

// True if the program has an `e`, or cannot be understood well enough to say that it has none.
[[nodiscard]] bool sed_program_runs_commands(std::string_view program);

// A program file (-f) may hold anything and counts as code.
void search_sed_program(std::span<const std::string> args, ArgumentCommands& found);

}  // namespace bawn
