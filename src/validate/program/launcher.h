// Launchers: programs that start another program named in their arguments. Finds that other
// program.
//
// The inner command is then judged like a command of the request. Sometimes the words do not tell
// which command starts: an unknown option, a changed root directory, a text that needs expansion.
// The launch is then `uncertain`, and the validator refuses it. Words that come from standard input
// (xargs) are marked by `more_words`.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bawn {

// A command that the launcher would start.
struct InnerCommand {
  std::vector<std::string> words;  // never empty; kUnknownByte for text that is not known yet
  bool applet = false;             // built into the launcher itself (busybox)
  bool other_directory = false;    // relative names start from another directory
  bool more_words = false;         // the launcher appends unknown words (xargs)
};

// Everything that one call of a launcher would start or set. Owns its strings.
struct Launch {
  std::vector<InnerCommand> commands;
  std::vector<std::string> shell_code;   // texts that it passes to a shell
  std::vector<std::string> assignments;  // KEY=value for the command's environment
  bool starts_shell = false;             // it was given no command and starts a shell
  bool injects_code = false;             // an option loads code into the command (ld.so --preload)
  std::string uncertain;                 // why the command is unknown; "" if it is known
};

// Empty if `spelled` is no launcher. It may have a path; `args` are the words after it.
[[nodiscard]] std::optional<Launch> read_launch(std::string_view spelled,
                                                std::span<const std::string> args);

}  // namespace bawn
