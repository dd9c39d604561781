// Which program receives which words of a command line: in `timeout 5 grep x y` the words `x y`
// belong to grep.
//
// The meaning of a word depends on the program that reads it, and launchers pass words on. The
// first segment is the whole line. Each later segment lies inside an earlier one and is more
// precise. A launcher adds no segment if its command is not a sequence of the given words (env -S,
// shell code).
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// One program and its range of words.
struct CommandSegment {
  std::string_view command;
  std::size_t first = 0;  // index of its first argument in `words`
  std::size_t count = 0;  // number of its arguments
};

// Outer segments come before inner ones. The views point into `command` and `words`.
[[nodiscard]] std::vector<CommandSegment> command_segments(std::string_view command,
                                                           std::span<const std::string> words);

}  // namespace bawn
