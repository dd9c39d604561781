// The single checks of `bawn doctor`. Each does the thing itself, as small as it can be and still be the thing, and
// leaves nothing behind.
#pragma once

#include <string>

#include "host/attempt.h"
#include "host/blame.h"

namespace bawn {

struct CheckAnswer {
  bool works = false;
  std::string evidence;
  std::string fix;
};

// "STEP: errno: reason", and the fix that belongs to it.
[[nodiscard]] CheckAnswer refused(const Attempt& attempt, const Blame& blame);

using CheckFunction = CheckAnswer (*)(const Gatekeepers& gates);

// Namespaces (namespace_checks.cc).
CheckAnswer check_user_namespace(const Gatekeepers& gates);
CheckAnswer check_mount_namespace(const Gatekeepers& gates);
CheckAnswer check_mount_calls(const Gatekeepers& gates);
CheckAnswer check_root_switch(const Gatekeepers& gates);
CheckAnswer check_pid_namespace(const Gatekeepers& gates);
CheckAnswer check_fresh_proc(const Gatekeepers& gates);
CheckAnswer check_network_namespace(const Gatekeepers& gates);
CheckAnswer check_ipc_uts_namespaces(const Gatekeepers& gates);
CheckAnswer check_cgroup_namespace(const Gatekeepers& gates);
CheckAnswer check_launch_calls(const Gatekeepers& gates);

// Everything else (kernel_checks.cc).
CheckAnswer check_clone3(const Gatekeepers& gates);
CheckAnswer check_pidfd(const Gatekeepers& gates);
CheckAnswer check_close_range(const Gatekeepers& gates);
CheckAnswer check_memory_executable(const Gatekeepers& gates);
CheckAnswer check_openat2(const Gatekeepers& gates);
CheckAnswer check_statx(const Gatekeepers& gates);
CheckAnswer check_private_directory(const Gatekeepers& gates);
CheckAnswer check_seccomp(const Gatekeepers& gates);
CheckAnswer check_landlock(const Gatekeepers& gates);
CheckAnswer check_landlock_or_none(const Gatekeepers& gates);
CheckAnswer check_terminal(const Gatekeepers& gates);
CheckAnswer check_id_ranges(const Gatekeepers& gates);
CheckAnswer check_cgroup(const Gatekeepers& gates);

}  // namespace bawn
