// What a process may have before all others of the machine, and what its caller did not mean for a
// command: real-time scheduling, of the disks too, a negative niceness, the right to take either,
// and to be spared when memory runs out. To have less than others is harmless, and stays.
#pragma once

namespace bawn::init {

// Of this thread and this process, and so of all that they start. Asks for the result. Needs a
// /proc that shows this process, whose memory must not be hidden yet: its files there are root's
// then. 0 or a negative errno.
[[nodiscard]] long give_up_priority();

}  // namespace bawn::init
