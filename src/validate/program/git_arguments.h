// The arguments by which git runs commands: configuration on the command line, helper programs,
// subcommands.
//
// Words are all that is seen here. A repository brings commands of its own, in .git/config and
// .git/hooks, and no reading of arguments closes that: whoever can write those files and may run
// git can run anything that the kernel's enforcement allows. `workspace.protect` for both is what
// closes it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validate/program/command_argument.h"

namespace bawn {

void search_git_arguments(std::span<const std::string> args, ArgumentCommands& found);

// True if setting this configuration key makes git run something or obey another file.
[[nodiscard]] bool git_key_runs_commands(std::string_view key);

}  // namespace bawn
