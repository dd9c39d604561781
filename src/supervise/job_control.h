// How a program that runs commands on its terminal takes part in job control.
//
// The library installs no signal handler and blocks no signal beyond the duration of a call. A
// program that wants resizing, Ctrl-Z and the shell's fg and bg to work collects these signals and
// hands them to Run::job_signal(); `bawn run` does.
#pragma once

#include <functional>

namespace bawn {

// A signal that this process received as a job of its terminal.
enum class JobSignal {
  resized,    // SIGWINCH
  continued,  // SIGCONT
  suspend,    // SIGTSTP
  interrupt,  // SIGINT
  quit,       // SIGQUIT
};

// Stops this process and its process group with SIGTSTP, SIGTTIN or SIGTTOU, and returns after
// SIGCONT. False if the kernel did not stop the process, because no shell could continue it (an
// orphaned process group).
using SuspendProcess = std::function<bool(int signal)>;

}  // namespace bawn
