// One command on its way through judge_executable(): the request's own, or one that another command
// would start.
//
// A value without behaviour. It remembers how the command was reached, because that decides which
// checks apply and what a message says.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace bawn {

struct JudgedCommand {
  std::vector<std::string> words;  // never empty
  std::string subject;             // Violation::subject, as the caller wrote it
  std::string origin;              // " (started by 'env')"; "" for the request's own command
  int depth = 0;                   // number of programs that start one another up to here
  int scripts = 0;                 // number of scripts on the way here
  bool in_shell_code = false;      // only the never-allowed list and the block list apply
  bool named_by_script = false;    // an interpreter may then run without an allow entry
  bool applet = false;             // built into the program that starts it (busybox)
  bool other_directory = false;    // relative names start from another, unknown directory
  bool more_words = false;         // unknown words will be appended (xargs)

  [[nodiscard]] std::span<const std::string> args() const { return std::span(words).subspan(1); }

  // For messages: "'bash' (started by 'env')".
  [[nodiscard]] std::string shown() const;
};

// A command that `outer` starts, one level deeper. `words` must not be empty. Inherits what applies
// to the whole chain (in_shell_code, named_by_script), not what applies to `outer` alone.
[[nodiscard]] JudgedCommand started_by(const JudgedCommand& outer, std::vector<std::string> words,
                                       std::string origin);

}  // namespace bawn
