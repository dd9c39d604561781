// The run's own terminal: a pty, in namespaces of a devpts of the run's own, so that nothing the
// command does to it reaches the caller's.
#pragma once

#include "linux/init/messages.h"

namespace bawn::init {

struct Pty {
  int master = -1;  // for bawn
  int slave =
      -1;  // kept, so that the terminal lives as long as the run and its foreground can be changed
};

// Opens it by the given ptmx of the root this process is in now, with the given size and modes, and
// takes control of it unless that is for the command to do. 0 or a negative errno.
[[nodiscard]] long open_terminal(const char* ptmx, const TerminalOrder& order, Pty& terminal);

// Makes it the controlling terminal of the session that this process leads: nobody in that reaches
// another one through /dev/tty. 0 or a negative errno.
[[nodiscard]] long take_control(int slave);

// Gives the terminal to a process group of the session. 0 or a negative errno.
[[nodiscard]] long set_foreground(int slave, std::int32_t group);
[[nodiscard]] long foreground_of(int slave);

// The session that the terminal controls, or a negative errno.
[[nodiscard]] long session_of(int slave);

// A report with a file. As with all reports, a reader that is gone needs none.
void send_with_file(int socket, const Report& report, int file);

}  // namespace bawn::init
