// Diagnoses why the kernel refused something, and what the user can change about it.
//
// The diagnose_*() functions are pure: an errno and HostRestrictions in, sentences out. Only
// probe_restrictions() reads the host. The sentences are for people (`bawn doctor`, hints); no code
// may branch on them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "host/capability.h"

namespace bawn {

// Settings outside this process that make the kernel refuse what it could do: sysctls, an LSM, a
// seccomp filter, the user namespace. An empty optional means that the sysctl does not exist or
// cannot be read.
struct HostRestrictions {
  bool root = false;           // by its uid
  CapabilitySet capabilities;  // in effect
  // Sysctl kernel.unprivileged_userns_clone (Debian, Arch).
  std::optional<long> unprivileged_userns_clone;
  // Sysctl kernel.apparmor_restrict_unprivileged_userns (Ubuntu).
  std::optional<long> apparmor_restricts_userns;
  std::optional<long> memfd_noexec;  // sysctl vm.memfd_noexec
  int seccomp_mode = 0;              // of this process; 2: it runs under a seccomp filter
  // The caller's id that its user namespace does not map, as "uid 65534"; "" if both are mapped.
  std::string unmapped;
  std::string program;  // path of this executable, for an AppArmor profile
};

// Reads sysctls and /proc/self. Changes nothing.
[[nodiscard]] HostRestrictions probe_restrictions();

// `reason` completes a sentence about the failure. `fix` is lines to paste, or "" if nothing on
// this host can help.
struct Cause {
  std::string reason;
  std::string fix;
};

// A namespace that could not be created, or was created without capabilities in it. `limit` is the
// value of the sysctl `limit_name` ("user.max_net_namespaces"), which bounds how many may exist.
struct NamespaceRefusal {
  int sys_errno = 0;
  bool at_clone = true;  // false: in a later step, inside the namespace
  bool on_file = false;  // a write to a file failed, so no seccomp filter can be the cause
  std::string limit_name;
  std::optional<long> limit;
};
[[nodiscard]] Cause diagnose_namespace(const NamespaceRefusal& refusal,
                                       const HostRestrictions& restrictions);

// A system call that failed. `since` is the first kernel that has it ("Linux 5.12").
[[nodiscard]] Cause diagnose_call(int sys_errno, std::string_view since,
                                  const HostRestrictions& restrictions);

// The fix for "this user cannot make cgroups with limits". `unified`: /sys/fs/cgroup itself is
// cgroup v2.
[[nodiscard]] std::string cgroup_fix(bool unified);

// A memfd that could not be executed.
[[nodiscard]] Cause diagnose_memfd(int sys_errno, const HostRestrictions& restrictions);

}  // namespace bawn
