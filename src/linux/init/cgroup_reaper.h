// The other use of init's program: a process that removes a run's cgroups should bawn die before it
// can.
//
// Init cannot do that. In tier c it is in a user namespace and has given up its privileges, while
// the directories in which cgroups are made belong to the host's root, or to another user than the
// one the command runs as. So a second process stays outside with bawn's own credentials; it exists
// before the first cgroup is made, and does nothing at all until bawn has let go.
#pragma once

namespace bawn::init {

// `directories` ends with null. File 0 is a pipe whose other end bawn holds, file 1 bawn's pidfd:
// the end of either is the end of the run. What still lives in a cgroup then is killed, where the
// kernel has a file for that, and waited for.
[[noreturn]] void reap_cgroups(const char* const* directories);

}  // namespace bawn::init
