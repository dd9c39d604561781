// Arguments that make git run commands: configuration on the command line, helper programs, some
// subcommands.
//
// Only words are read here. A repository has commands in .git/config and .git/hooks too, and
// reading arguments cannot see them: a command that can write those files and run git can run
// anything that the kernel's enforcement allows. `workspace.protect` for both paths prevents that,
// and a run whose policy lists executables gets no hooks, no fsmonitor and no bare repositories
// that git finds by itself (plan/plan.cc).
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "validate/program/command_argument.h"

namespace bawn {

// `args` are the words after `git`. Adds to `found.code` what the subcommand and its options run;
// the options that every subcommand has are in the row of git itself. Values are never judged as
// commands.
void search_git_arguments(std::span<const std::string> args, ArgumentCommands& found);

// True if KEY=VALUE, or KEY alone, makes git run a command or obey another file. Case does not
// matter.
[[nodiscard]] bool git_setting_runs_commands(std::string_view setting);

}  // namespace bawn
