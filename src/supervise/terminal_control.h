// The interface through which a program that runs commands on its terminal takes part in job
// control.
//
// The library installs no signal handler and blocks no signal beyond the duration of a call. A
// program that wants resizing, Ctrl-Z and the shell's fg and bg to work collects these signals and
// hands them in through this struct; `bawn run` does.
#pragma once

#include <functional>

namespace bawn {

struct TerminalControl {
  // Readable while next_signal() has a signal. Borrowed for the duration of the run; -1: no signals
  // are handed in, and next_signal is not called.
  int signal_fd = -1;
  // The next SIGWINCH, SIGCONT, SIGTSTP, SIGINT or SIGQUIT that this process received; 0 if there
  // is none left. SIGINT and SIGQUIT go to the command if it has a private terminal; otherwise they
  // cancel the run.
  std::function<int()> next_signal{};
  // Stops this process and its process group with SIGTSTP, SIGTTIN or SIGTTOU, and returns after
  // SIGCONT. False if the kernel did not stop the process, because no shell could continue it (an
  // orphaned process group). Empty counts as false: a stopped command is then continued at once, or
  // hung up if it was stopped because it wanted the terminal.
  std::function<bool(int signal)> suspend{};
};

}  // namespace bawn
