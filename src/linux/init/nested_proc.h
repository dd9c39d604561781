// The /proc of a command that is process 1 of a pid namespace of its own.
//
// A /proc belongs to the pid namespace of whoever makes it, so init, which is outside, cannot. The
// command's process does it as its first act, in the finished root and with init's /proc still
// there: the kernel gives a new one only to a process that sees a whole one already. Init's goes
// then; init has it open and still counts by it.
#pragma once

#include "linux/init/messages.h"

namespace bawn::init {

// Makes the setup message's mounts in /proc anew, and asks the result where it is. If init was
// given no /proc there is none to exchange, and no namespace to be read. 0 or a negative errno;
// `op` is the one that it is about.
[[nodiscard]] long exchange_proc(const SetupMessage& setup, const ExecMessage& exec,
                                 Readback& readback, std::int32_t& op);

}  // namespace bawn::init
