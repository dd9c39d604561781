// One command on its way through judge_executable(): the request's own, or one that another would
// start.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace bawn {

struct JudgedCommand {
  std::vector<std::string> words;  // never empty
  std::string subject;             // what a violation is about, as the caller wrote it
  std::string origin;              // " (started by 'env')"; "" for the request's own command
  int depth = 0;                   // programs that lead here
  int scripts = 0;                 // scripts that lead here
  bool in_shell_code = false;      // judged by what is never allowed and by the block list only
  bool named_by_script = false;    // an interpreter then needs no entry on the allow list
  bool applet = false;             // part of the program that starts it
  bool other_directory = false;    // relative names would be looked up somewhere else
  bool more_words = false;         // words that nobody knows yet will follow

  [[nodiscard]] std::span<const std::string> args() const { return std::span(words).subspan(1); }

  // The command as a message shows it: "'bash' (started by 'env')".
  [[nodiscard]] std::string shown() const;
};

// A command that `outer` starts.
[[nodiscard]] JudgedCommand started_by(const JudgedCommand& outer, std::vector<std::string> words,
                                       std::string origin);

}  // namespace bawn
