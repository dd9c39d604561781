// Who is to blame when the kernel refuses, and what would change its mind. Pure: facts in, words
// out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bawn {

// What can stand between this process and the kernel's answer.
struct HostRestrictions {
  bool root = false;
  std::optional<long>
      unprivileged_userns_clone;  // sysctl kernel.unprivileged_userns_clone (Debian, Arch)
  std::optional<long>
      apparmor_restricts_userns;     // sysctl kernel.apparmor_restrict_unprivileged_userns (Ubuntu)
  std::optional<long> memfd_noexec;  // sysctl vm.memfd_noexec
  int seccomp_mode = 0;              // of this process; 2: somebody put a filter around it
  std::string
      unmapped;  // "uid 65534", if its user namespace does not know this user or group; else ""
  std::string program;  // where this executable lies, for a profile
};

[[nodiscard]] HostRestrictions probe_restrictions();

struct Cause {
  std::string reason;
  std::string fix;
};

// A namespace that was not made, or was made without power over itself. `limit` is the sysctl that
// bounds how many there may be ("user.max_net_namespaces") and what it says.
struct NamespaceRefusal {
  int sys_errno = 0;
  bool at_clone = true;  // else in a later step, inside the namespace
  bool on_file = false;  // in writing to a file: no system call was refused for itself
  std::string limit_name;
  std::optional<long> limit;
};
[[nodiscard]] Cause diagnose_namespace(const NamespaceRefusal& refusal,
                                       const HostRestrictions& restrictions);

// A system call that was refused; `since` is the kernel that has it ("Linux 5.12").
[[nodiscard]] Cause diagnose_call(int sys_errno, std::string_view since,
                                  const HostRestrictions& restrictions);

// No cgroup with limits for the runs of this user; `unified` if /sys/fs/cgroup itself is cgroup v2.
[[nodiscard]] std::string cgroup_fix(bool unified);

// An executable in memory that was not executed.
[[nodiscard]] Cause diagnose_memfd(int sys_errno, const HostRestrictions& restrictions);

}  // namespace bawn
