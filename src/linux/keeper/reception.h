// How the keeper gets its orders: one message from bawn, with the program and every file that goes with it.
#pragma once

#include "linux/keeper/program.h"

namespace bawn::keeper {

// Waits for the message, or for the end of bawn. Fills `files` by slot, -1 where nothing was sent, and maps the program with its
// arrays of strings ready for exec. 0 or a negative errno.
[[nodiscard]] long receive_program(int control, Program*& program, int (&files)[slot_count]);

}  // namespace bawn::keeper
