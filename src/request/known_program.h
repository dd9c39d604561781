// Facts about well-known programs, by name, that help to tell a model's mistake from a valid
// argument.
//
// These facts decide nothing about safety; the validator does. A program without a row (programs/)
// is treated leniently: its arguments stay as they are.
#pragma once

#include <string_view>

namespace bawn {

// "git" for "/usr/bin/git" and for "git".
[[nodiscard]] std::string_view program_name(std::string_view command);

// The first argument may be equal to the program's name, because it is the name of a program, a
// pattern or free text: `which which`, `echo echo`.
[[nodiscard]] bool takes_names_or_text(std::string_view program);

// The program has a `--cwd` option.
[[nodiscard]] bool has_own_cwd_option(std::string_view program);

// The first argument is an option or a subcommand and never contains blanks.
[[nodiscard]] bool has_subcommands(std::string_view program);

// The arguments are options, subcommands and file names, never code or prose.
[[nodiscard]] bool takes_plain_words(std::string_view program);

// The program is likely to start a command line or to follow a pipe or `&&`.
[[nodiscard]] bool is_common_tool(std::string_view program);

}  // namespace bawn
