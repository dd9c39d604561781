// How a program that runs commands on its own terminal takes part in job control.
//
// The library installs no signal handler and blocks no signal for longer than a call. A program
// that wants resizing, Ctrl-Z and the shell's fg and bg to work keeps these signals for itself and
// hands them in; `bawn run` does.
#pragma once

#include <functional>

namespace bawn {

struct TerminalControl {
  // Readable while next_signal() has something to tell. Borrowed; -1 if nobody will.
  int signal_fd = -1;
  // SIGWINCH, SIGCONT, SIGTSTP, SIGINT or SIGQUIT that was sent to this process; 0: none any more.
  // SIGINT and SIGQUIT go to the command if it has a private terminal and cancel the run otherwise.
  std::function<int()> next_signal{};
  // Stops this process and its process group by SIGTSTP, SIGTTIN or SIGTTOU and returns when it
  // goes on. False if the kernel did not stop it, because nobody could continue it. Empty: a
  // stopped command is continued at once.
  std::function<bool(int signal)> suspend{};
};

}  // namespace bawn
