// Programs that start another program named in their arguments, and how to find that other program.
//
// What is found is judged like a command of its own. A launcher whose command cannot be told from
// its words (an unknown option, a changed root directory, words that come from standard input) is
// reported as uncertain, and uncertain is refused.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

struct InnerCommand {
  std::vector<std::string> words;  // never empty; kUnknownByte where the text comes from elsewhere
  bool applet = false;             // built into the launcher itself (busybox)
  bool other_directory = false;    // relative names would be looked up somewhere else
  bool more_words = false;         // the launcher appends words that nobody knows yet (xargs)
};

struct Launch {
  std::vector<InnerCommand> commands;
  std::vector<std::string> shell_code;   // texts it gives to a shell
  std::vector<std::string> assignments;  // KEY=value it puts into the command's environment
  bool starts_shell = false;             // without a command it starts the user's shell
  bool injects_code = false;             // an option loads code into the command (ld.so --preload)
  std::string uncertain;                 // why the command cannot be told; "" if it can
};

// Empty if what is spelled so is no launcher. `args` are the words after it.
[[nodiscard]] std::optional<Launch> read_launch(std::string_view spelled,
                                                std::span<const std::string> args);

}  // namespace bawn
