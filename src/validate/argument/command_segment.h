// Which program receives which words of a command line: `timeout 5 grep x y` is grep's line behind
// timeout's.
//
// What a word means depends on the program that reads it, and launchers pass words on. The first
// segment is the whole line; each later one lies inside an earlier one and is the more precise
// statement. A launcher whose command is not a run of the given words (env -S, shell code) adds no
// segment.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct CommandSegment {
  std::string_view command;
  std::size_t first = 0;  // index of its first argument
  std::size_t count = 0;
};

// The views point into `command` and `words`.
[[nodiscard]] std::vector<CommandSegment> command_segments(std::string_view command,
                                                           std::span<const std::string> words);

}  // namespace bawn
