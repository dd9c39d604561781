// Ordinary programs with an argument that makes them run a command: tar --to-command, rsync -e, git
// -c ...
//
// These are not launchers: they are useful without that argument, so only the argument is judged. A
// value of plain words is judged as a command. A value that needs a shell, or that cannot be
// judged, counts as code. Only known programs have a row (programs/), so an empty result is no
// proof of harmlessness.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct ProgramRow;

// Owns copies of the arguments.
struct ArgumentCommands {
  std::vector<std::string> command_lines;  // the program starts these, most of them through a shell
  std::vector<std::string> code;           // arguments that make it run code which cannot be judged
};

// `name` may have a path or a version; `args` are the words after it.
[[nodiscard]] ArgumentCommands find_argument_commands(std::string_view name,
                                                      std::span<const std::string> args);

// Adds what the options among `args` run, by one row.
void search_options(const ProgramRow& program, std::span<const std::string> args,
                    ArgumentCommands& found);

// True if the program is known for such arguments, whatever it is given now. Matters where further
// words come from standard input.
[[nodiscard]] bool has_command_arguments(std::string_view name);

}  // namespace bawn
