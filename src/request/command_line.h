// Detects a whole command line where a program name or an argument belongs, and spells the request
// that was meant.
//
// bawn executes argv and has no shell, so the command "git status" would be a file that does not
// exist. A model that made this mistake learns the right form from the hint. Blanks alone prove
// nothing about an argument (commit messages, file names, sed or jq programs, SQL), so an argument
// is refused only if it could never have worked. In doubt it passes: this is advice, not a
// protection.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "request/request.h"

namespace bawn {

struct CommandLineAdvice {
  std::string message;  // what was found
  std::string hint;     // the form that would be right
  bool operator==(const CommandLineAdvice&) const = default;
};

// Judges `request.command`; empty if it can be the name or the path of a program.
[[nodiscard]] std::optional<CommandLineAdvice> command_line_in_command(const Request& request);

// Judges the only element of `request.args`; empty if there are several or if it may be an
// argument.
[[nodiscard]] std::optional<CommandLineAdvice> command_line_in_argument(const Request& request);

// Splits a line as a shell would. Empty if the line has anything but plain words and simple quotes
// that a shell would interpret, or if it is longer than 1 KiB.
[[nodiscard]] std::optional<std::vector<std::string>> plain_words(std::string_view line);

// `{"command":"git","args":["status"]}`. `cd DIR && ...` and leading assignments become `cwd` and
// `env`. Empty for any other line that needs a shell, and for a line too long for a hint.
[[nodiscard]] std::optional<std::string> spelled_request(std::string_view line);
[[nodiscard]] std::optional<std::string> spelled_request(const std::vector<std::string>& words);

}  // namespace bawn
