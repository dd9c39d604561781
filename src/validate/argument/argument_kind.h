// Which words of a command line are text to the program: patterns, sed and awk programs, messages,
// formats.
//
// Such a word is neither a path nor a host, however much it looks like one. Refusing it would teach
// people to turn the validator off. Rows (programs/) count for system programs only, by their name
// on the trusted path. For every other program each word counts as data that might be opened. Not
// for security decisions: the kernel decides what a program can open.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// The name under which the rows know a command: "grep" for `grep` and
// `/usr/bin/grep`. "" for a file in any other directory, whose name does not tell what it does. The
// view points into `command`.
[[nodiscard]] std::string_view system_program(std::string_view command);

// One flag for each of `words`, the words after the command: true if the program takes it as text.
[[nodiscard]] std::vector<bool> text_arguments(std::string_view command,
                                               std::span<const std::string> words);

// True if the program takes a lone "/" as an operator or a delimiter (`expr 6 / 2`, `cut -d /`) and
// has no use for a directory.
[[nodiscard]] bool slash_is_data(std::string_view command);

// True if an absolute word is more likely a route of a server or a path in a container than a path
// of this host: `gh api /repos/x`.
[[nodiscard]] bool takes_routes(std::string_view command);

// True if the program reads `word` as a path on another machine or in another tree: `scp x
// host:/etc/motd`, `git show HEAD:src/x`.
[[nodiscard]] bool names_remote_path(std::string_view command, std::string_view word);

}  // namespace bawn
