// Which words of a command line are text to the program: patterns, sed and awk programs, messages,
// formats.
//
// Such a word is neither a path nor a host however much it looks like one, and refusing it would
// teach people to turn the validator off. The tables know only system programs by their name on the
// trusted path; for every other program each word is data that might be opened.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// The name under which the tables of this folder know a command: "grep" for `grep` and
// `/usr/bin/grep`, "" for a file elsewhere, whose name says nothing about what it does.
[[nodiscard]] std::string_view system_program(std::string_view command);

// One flag per word: true if the program takes it as text.
[[nodiscard]] std::vector<bool> text_arguments(std::string_view command,
                                               std::span<const std::string> words);

// True if a lone "/" is an operator or a delimiter to the program (`expr 6 / 2`, `cut -d /`) and a
// directory would be of no use to it.
[[nodiscard]] bool slash_is_data(std::string_view command);

// True if an absolute word is rather a route or a path in a container: `gh api /repos/x`.
[[nodiscard]] bool takes_routes(std::string_view command);

// True if the program reads `word` as a path on another machine or in another tree: `scp x
// host:/etc/motd`, `git show HEAD:src/x`.
[[nodiscard]] bool names_remote_path(std::string_view command, std::string_view word);

}  // namespace bawn
