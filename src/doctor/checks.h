// The checks of `bawn doctor`, one function each.
//
// Each check performs the real operation at the smallest size, usually in a child (doctor/trial.h),
// and removes everything it made. They fork, so the process must have one thread. doctor/doctor.cc
// decides the order and which check depends on which.
#pragma once

#include <string>

#include "doctor/cause.h"
#include "doctor/trial.h"

namespace bawn {

// Has the fields of CheckResult that a check itself can fill in.
struct CheckAnswer {
  bool works = false;
  std::string evidence;
  std::string fix;
};

// A failed answer: evidence "STEP: errno: reason", and the fix of `cause`.
[[nodiscard]] CheckAnswer refused(const Trial& trial, const Cause& cause);

using CheckFunction = CheckAnswer (*)(const HostRestrictions& restrictions);

// Namespaces (namespace_checks.cc).
CheckAnswer check_user_namespace(const HostRestrictions& restrictions);
CheckAnswer check_mount_namespace(const HostRestrictions& restrictions);
CheckAnswer check_mount_calls(const HostRestrictions& restrictions);
CheckAnswer check_root_switch(const HostRestrictions& restrictions);
CheckAnswer check_pid_namespace(const HostRestrictions& restrictions);
CheckAnswer check_fresh_proc(const HostRestrictions& restrictions);
CheckAnswer check_network_namespace(const HostRestrictions& restrictions);
CheckAnswer check_ipc_uts_namespaces(const HostRestrictions& restrictions);
CheckAnswer check_cgroup_namespace(const HostRestrictions& restrictions);
CheckAnswer check_launch_calls(const HostRestrictions& restrictions);

// Everything else (kernel_checks.cc).
CheckAnswer check_clone3(const HostRestrictions& restrictions);
CheckAnswer check_pidfd(const HostRestrictions& restrictions);
CheckAnswer check_close_range(const HostRestrictions& restrictions);
CheckAnswer check_memory_executable(const HostRestrictions& restrictions);
CheckAnswer check_openat2(const HostRestrictions& restrictions);
CheckAnswer check_statx(const HostRestrictions& restrictions);
CheckAnswer check_private_directory(const HostRestrictions& restrictions);
CheckAnswer check_seccomp(const HostRestrictions& restrictions);
CheckAnswer check_landlock(const HostRestrictions& restrictions);
CheckAnswer check_landlock_or_none(const HostRestrictions& restrictions);
CheckAnswer check_terminal(const HostRestrictions& restrictions);
CheckAnswer check_id_ranges(const HostRestrictions& restrictions);
CheckAnswer check_cgroup(const HostRestrictions& restrictions);

}  // namespace bawn
