// What the request layer knows about well-known programs, by name: only what it needs to tell a
// model's mistake from a legitimate argument.
//
// These tables decide nothing about safety. A program that is missing from one of them is judged
// more leniently: its arguments stay as they are.
#pragma once

#include <string_view>

namespace bawn {

// "git" of "/usr/bin/git" and of "git".
[[nodiscard]] std::string_view program_name(std::string_view command);

// Its first argument may well be its own name: another program's name, a pattern, or free text.
[[nodiscard]] bool takes_names_or_text(std::string_view program);

// It has a `--cwd` option of its own.
[[nodiscard]] bool has_own_cwd_option(std::string_view program);

// Its first argument is an option or a subcommand; a text with blanks is never one.
[[nodiscard]] bool has_subcommands(std::string_view program);

// Its arguments are options, subcommands and file names, never code or prose.
[[nodiscard]] bool takes_plain_words(std::string_view program);

// A program that a command line is likely to start or to go on with.
[[nodiscard]] bool is_common_tool(std::string_view program);

}  // namespace bawn
