// The run's processes outside a pid namespace of their own (tier b), found through /proc.
//
// Init is a subreaper: whatever the command starts stays a descendant of init, regardless of
// sessions, process groups and double forks. `proc_fd` is a borrowed descriptor of /proc, `self` is
// init's pid. Uses a static table, so it must be called from one thread only.
#pragma once

#include <cstdint>

namespace bawn::init {

// Sends a signal to every descendant that it finds. A process that is forked meanwhile may be
// missed. After SIGKILL the next call finds it: the death of its parent wakes init. A pid that
// meanwhile belongs to an unrelated process is not signalled.
void signal_tree(int proc_fd, int self, int signal);

// CPU time in microseconds of all living descendants, with the children that those have reaped.
// Children that init reaped are not included. In tier c this also works, with the run's /proc.
[[nodiscard]] std::uint64_t live_cpu_us(int proc_fd, int self);

}  // namespace bawn::init
