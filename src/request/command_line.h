// Tells a whole command line from a program's name or an argument, and spells the request that was
// meant.
//
// bawn executes argv and has no shell, so "git status" as a command would only be a file that does
// not exist. A model that made the mistake learns the right form from the answer. Blanks alone
// prove nothing about an argument (commit messages, file names, programs for sed or jq, SQL): an
// argument is only refused where it could never have worked. When in doubt it passes; this is
// advice, not a protection.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "request/request.h"

namespace bawn {

struct CommandLineAdvice {
  std::string message;  // what it is
  std::string hint;     // the form that would be right
  bool operator==(const CommandLineAdvice&) const = default;
};

// About `request.command`; empty if it can be the name or the path of a program.
[[nodiscard]] std::optional<CommandLineAdvice> command_line_in_command(const Request& request);

// About the only element of `request.args`; empty if there are more or it may be an argument.
[[nodiscard]] std::optional<CommandLineAdvice> command_line_in_argument(const Request& request);

// The words of a line in which nothing but simple quotes would mean something to a shell; empty for
// others.
[[nodiscard]] std::optional<std::vector<std::string>> plain_words(std::string_view line);

// `{"command":"git","args":["status"]}` for plain words; empty for a line that needs a shell, and
// for more than anybody would read.
[[nodiscard]] std::optional<std::string> spelled_request(std::string_view line);
[[nodiscard]] std::optional<std::string> spelled_request(const std::vector<std::string>& words);

}  // namespace bawn
