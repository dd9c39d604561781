// The private terminal: a new pty for the run, in namespaces from the run's own devpts.
//
// The command gets this terminal instead of the caller's, so it cannot push input into the caller's
// terminal or change its modes. Init holds the slave; bawn gets the master with the `started`
// report.
#pragma once

#include "backend/linux/wire/messages.h"

namespace bawn::init {

struct Pty {
  int master = -1;  // for bawn
  int slave = -1;   // init keeps it open: the terminal must live as long as the run, and init sets
                    // its foreground process group through it
};

// Opens a new pty through the path `ptmx` in the current root and sets its size and modes. Makes it
// the controlling terminal of init's session, unless order.led_by_command. Returns 0 or a negative
// errno; after an error the descriptors that were opened stay in `terminal`, and init exits.
[[nodiscard]] long open_terminal(const char* ptmx, const TerminalOrder& order, Pty& terminal);

// Makes the terminal the controlling terminal of the session that this process leads, and checks
// that. Afterwards /dev/tty is this terminal for every process of the session. 0 or a negative
// errno.
[[nodiscard]] long take_control(int slave);

// Sets and reads the terminal's foreground process group. The first returns 0 or a negative errno,
// the second the group or a negative errno.
[[nodiscard]] long set_foreground(int slave, std::int32_t group);
[[nodiscard]] long foreground_of(int slave);

// The session whose controlling terminal this is, or a negative errno.
[[nodiscard]] long session_of(int slave);

// Sends a report with a file by SCM_RIGHTS; the caller still owns `file`. Never blocks. An error is
// ignored, as for every report: if bawn has gone, no process needs the report.
void send_with_file(int socket, const Report& report, int file);

}  // namespace bawn::init
