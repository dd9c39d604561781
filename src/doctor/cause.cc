#include "doctor/cause.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>

#include "base/text.h"
#include "host/capability_probe.h"
#include "host/id_map.h"
#include "host/id_mapping.h"
#include "host/setup_error.h"
#include "sys/control_file.h"

namespace bawn {
namespace {

constexpr int kSeccompFilter = 2;  // "Seccomp:" in /proc/self/status
constexpr std::string_view kSysctlFile = "/etc/sysctl.d/60-bawn.conf";

// Sets it now and after the next boot.
std::string sysctl_fix(std::string_view name, std::string_view value) {
  return concat("sudo sysctl -w ", name, "=", value, "\n", "echo '", name, "=", value,
                "' | sudo tee -a ", kSysctlFile);
}

constexpr std::string_view kDenialFix = "look for the denial: sudo journalctl -k --grep 'denied'";

// EPERM and EACCES can come from a seccomp filter, Landlock or AppArmor. ENOSYS can only come from
// a filter.
Cause filter_around(int sys_errno) {
  const std::string profile =
      "start the container with a seccomp profile that allows it: docker or podman run "
      "--security-opt seccomp=PROFILE.json (or unconfined);\nKubernetes: "
      "securityContext.seccompProfile";
  if (sys_errno == ENOSYS) {
    return {concat("a seccomp filter around this process, usually a container's, answers ",
                   errno_text(sys_errno)),
            profile};
  }
  return {concat("a seccomp filter or a security module (Landlock, AppArmor) around bawn answers ",
                 errno_text(sys_errno)),
          concat(profile, "\nor start bawn outside of the other sandbox; ", kDenialFix)};
}

Cause guarded_file(int sys_errno, const HostRestrictions& restrictions) {
  if (sys_errno == EPERM && restrictions.root &&
      !restrictions.capabilities.has(Capability::setfcap)) {
    return {
        std::string(kNoSetfcap),
        "start bawn as an ordinary user, or with that capability (docker or podman run --cap-add "
        "SETFCAP)"};
  }
  return {"a security module (Landlock, AppArmor) around bawn keeps it from writing the file",
          concat("start bawn outside of the other sandbox, or ", kDenialFix)};
}

// The kernel refuses a new user namespace to a process whose ids its own namespace does not map.
Cause unknown_to_namespace(const HostRestrictions& restrictions) {
  return {concat("bawn runs in a user namespace in which its ", restrictions.unmapped,
                 " is not mapped (/proc/self/uid_map, gid_map)"),
          "map it where that namespace is made, as 'unshare --user --map-current-user' does, or "
          "start bawn outside of it"};
}

// The AppArmor profile leaves bawn unconfined and only allows it to make user namespaces.
Cause apparmor_restriction(const HostRestrictions& restrictions) {
  return {
      "AppArmor takes the capabilities away from user namespaces of programs without a profile "
      "(sysctl kernel.apparmor_restrict_unprivileged_userns is 1)",
      concat("put this into /etc/apparmor.d/bawn:\n"
             "  abi <abi/4.0>,\n"
             "  include <tunables/global>\n"
             "  profile bawn ",
             restrictions.program,
             " flags=(unconfined) {\n"
             "    userns,\n"
             "  }\n"
             "and load it: sudo apparmor_parser -r /etc/apparmor.d/bawn")};
}

Cause used_up(const NamespaceRefusal& refusal) {
  const std::string limit = concat("sysctl ", refusal.limit_name);
  if (refusal.limit == 0) return {concat(limit, " is 0"), sysctl_fix(refusal.limit_name, "10000")};
  const std::string value = refusal.limit ? concat(" (", *refusal.limit, ")") : "";
  return {concat("the limit is reached that is set by ", limit, value,
                 ", here or in a user namespace around this one; until it is lifted runs fail, and "
                 "none falls back to a weaker tier"),
          sysctl_fix(refusal.limit_name, concat(refusal.limit.value_or(5000) * 2))};
}

// A shortage of the moment: it does not show what this host can do.
Cause short_of_something(int sys_errno) {
  return {
      "this host lacks a resource at the moment; until it has it runs fail, and none falls back to "
      "a weaker tier",
      std::string(shortage_hint(sys_errno))};
}

// For the switches of distributions against user namespaces: root without the capability counts.
bool is_unprivileged(const HostRestrictions& restrictions) {
  return !restrictions.capabilities.has(Capability::sys_admin);
}

bool is_refusal(int sys_errno) { return sys_errno == EPERM || sys_errno == EACCES; }

std::optional<long> read_number(const std::string& file) {
  const auto text = sys::read_control(AT_FDCWD, file);
  if (!text) return std::nullopt;
  long number = 0;
  const char* const begin = text.value().data();
  const auto [stop, problem] = std::from_chars(begin, begin + text.value().size(), number);
  return problem == std::errc() ? std::optional(number) : std::nullopt;
}

// Parses "Seccomp:\t2" of /proc/self/status; 0 if it cannot be read.
int read_seccomp_mode() {
  constexpr std::string_view kKey = "\nSeccomp:\t";
  const auto text = sys::read_control(AT_FDCWD, "/proc/self/status");
  if (!text) return 0;
  const std::size_t at = text.value().find(kKey);
  if (at == std::string::npos || at + kKey.size() >= text.value().size()) return 0;
  return text.value()[at + kKey.size()] - '0';
}

// False if the map cannot be read: an unknown map is not given as a cause.
bool is_unmapped(const char* file, std::uint32_t id) {
  const auto text = sys::read_control(AT_FDCWD, file);
  const auto map = text ? parse_id_map(text.value()) : std::nullopt;
  return map && std::none_of(map->begin(), map->end(), [&](const IdExtent& extent) {
           return id >= extent.inside && id - extent.inside < extent.count;
         });
}

// geteuid() returns the overflow id (65534) for an unmapped id.
std::string unmapped_id() {
  if (is_unmapped("/proc/self/uid_map", geteuid())) return concat("uid ", geteuid());
  return is_unmapped("/proc/self/gid_map", getegid()) ? concat("gid ", getegid()) : "";
}

std::string own_program() {
  std::array<char, 4096> path;
  const ssize_t size = readlink("/proc/self/exe", path.data(), path.size());
  return size > 0 ? std::string(path.data(), static_cast<std::size_t>(size))
                  : "/usr/local/bin/bawn";
}

}  // namespace

HostRestrictions probe_restrictions() {
  return {.root = geteuid() == 0,
          .capabilities = probe_capabilities(),
          .unprivileged_userns_clone = read_number("/proc/sys/kernel/unprivileged_userns_clone"),
          .apparmor_restricts_userns =
              read_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
          .memfd_noexec = read_number("/proc/sys/vm/memfd_noexec"),
          .seccomp_mode = read_seccomp_mode(),
          .unmapped = unmapped_id(),
          .program = own_program()};
}

Cause diagnose_namespace(const NamespaceRefusal& refusal, const HostRestrictions& restrictions) {
  const int problem = refusal.sys_errno;
  if (refusal.at_clone && (problem == ENOSPC || problem == EUSERS)) return used_up(refusal);
  if (judge_setup_error(problem) == SetupError::transient) return short_of_something(problem);
  if (refusal.at_clone && problem == EINVAL) {
    return {"the kernel was built without this kind of namespace", "use a kernel that has it"};
  }
  if (is_refusal(problem) && !restrictions.unmapped.empty())
    return unknown_to_namespace(restrictions);
  if (refusal.at_clone && is_refusal(problem) && is_unprivileged(restrictions) &&
      restrictions.unprivileged_userns_clone == 0) {
    return {"sysctl kernel.unprivileged_userns_clone is 0",
            sysctl_fix("kernel.unprivileged_userns_clone", "1")};
  }
  if (is_refusal(problem) && is_unprivileged(restrictions) &&
      restrictions.apparmor_restricts_userns == 1) {
    return apparmor_restriction(restrictions);
  }
  if (is_refusal(problem) && refusal.on_file) return guarded_file(problem, restrictions);
  if ((is_refusal(problem) || problem == ENOSYS) && restrictions.seccomp_mode == kSeccompFilter) {
    return filter_around(problem);
  }
  if (refusal.at_clone && is_refusal(problem)) {
    return {
        "no sysctl and no seccomp filter explains it; either this process was started in a chroot, "
        "or a security module (SELinux, a profile of AppArmor) refuses it",
        "leave the chroot, or look for the denial: sudo journalctl -k --grep 'denied'"};
  }
  return {concat("the kernel answers ", errno_text(problem)), ""};
}

Cause diagnose_call(int sys_errno, std::string_view since, const HostRestrictions& restrictions) {
  // ENOSPC is taken for a full disk. A check that uses this runs only after a check that made the
  // same kind of namespace, so a namespace limit has usually been reported there.
  const bool full_disk = sys_errno == ENOSPC;
  if (!full_disk && judge_setup_error(sys_errno) == SetupError::transient)
    return short_of_something(sys_errno);
  // An old container filter returns ENOSYS for calls that it does not know; a newer one returns
  // EPERM for calls that it forbids.
  if ((sys_errno == ENOSYS || is_refusal(sys_errno)) &&
      restrictions.seccomp_mode == kSeccompFilter) {
    return filter_around(sys_errno);
  }
  if (sys_errno == ENOSYS)
    return {"the kernel does not have it", concat("use ", since, " or newer")};
  if (is_refusal(sys_errno) && is_unprivileged(restrictions) &&
      restrictions.apparmor_restricts_userns == 1) {
    return apparmor_restriction(restrictions);
  }
  if (is_refusal(sys_errno)) {
    return {"a security module (AppArmor, SELinux) refuses", std::string(kDenialFix)};
  }
  return {"", ""};
}

std::string cgroup_fix(bool unified) {
  if (!unified) {
    return "run bawn as root, or boot with the kernel parameter systemd.unified_cgroup_hierarchy=1 "
           "and start it in a session of systemd";
  }
  return "start bawn where systemd has delegated a part of the tree: systemd-run --user --scope -- "
         "bawn ...\n"
         "or without systemd, give this shell a part of its own:\n"
         "  sudo mkdir -p /sys/fs/cgroup/bawn/callers && sudo chown -R $USER /sys/fs/cgroup/bawn\n"
         "  echo '+memory +pids' | sudo tee /sys/fs/cgroup/cgroup.subtree_control\n"
         "  echo $$ | sudo tee /sys/fs/cgroup/bawn/callers/cgroup.procs";
}

Cause diagnose_memfd(int sys_errno, const HostRestrictions& restrictions) {
  if (is_refusal(sys_errno) && restrictions.memfd_noexec == 2) {
    return {"sysctl vm.memfd_noexec is 2", sysctl_fix("vm.memfd_noexec", "1")};
  }
  return diagnose_call(sys_errno, "Linux 3.17", restrictions);
}

}  // namespace bawn
