// The command's process tree as the kernel shows it under /proc: who is in it, what it has used,
// and how to end it.
//
// Init is a subreaper, so everything the command started is a descendant of init whatever it did
// with sessions, groups and double forks.
#pragma once

#include <cstdint>

namespace bawn::init {

// Sends a signal to every descendant that exists now. A process that was born meanwhile is caught
// by the next call: its killed parent's death wakes init.
void signal_tree(int proc_fd, int self, int signal);

// CPU time in microseconds of every descendant that is alive, and of what those have reaped.
[[nodiscard]] std::uint64_t live_cpu_us(int proc_fd, int self);

}  // namespace bawn::init
