// Ordinary programs with an argument that makes them run a command: tar --to-command, rsync -e, git
// -c ...
//
// Not launchers: they are useful without that argument, so only the argument is judged. A value
// that is plain words is judged as a command; one that needs a shell, or that nobody can judge,
// counts as code.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct ArgumentCommands {
  std::vector<std::string>
      command_lines;              // command lines the program will start, most of them by a shell
  std::vector<std::string> code;  // arguments by which it runs code that cannot be judged
};

// `name` may carry a path or a version; `args` are the words after it.
[[nodiscard]] ArgumentCommands find_argument_commands(std::string_view name,
                                                      std::span<const std::string> args);

// Whether the program has such arguments at all.
[[nodiscard]] bool has_command_arguments(std::string_view name);

}  // namespace bawn
