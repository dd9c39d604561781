// The cgroup reaper: a second process made from init's program. It removes a run's cgroups if bawn
// dies before it can.
//
// Init cannot do that. In tier c it is in a user namespace and has given up its privileges. The
// directories that hold cgroups belong to the host's root, or to another user than the command's.
// So the reaper stays outside the sandbox with bawn's credentials. It is started before the first
// cgroup is made and does nothing while bawn lives. It is insurance only: in an orderly run bawn
// removes the cgroups itself.
#pragma once

namespace bawn::init {

// Waits for the end of the run, then removes `directories` in order and exits. The array ends with
// null and is borrowed. File 0 is a pipe whose other end bawn holds; file 1 is bawn's pidfd. The
// run is over when bawn closes the pipe or ends.
//
// A cgroup that still holds processes is killed through cgroup.kill, if the kernel has that file,
// and removal is retried until it is empty. A directory that cannot be removed for another reason
// is left behind.
[[noreturn]] void reap_cgroups(const char* const* directories);

}  // namespace bawn::init
