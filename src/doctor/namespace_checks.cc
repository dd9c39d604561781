#include <fcntl.h>
#include <linux/capability.h>
#include <linux/sched.h>
#include <linux/securebits.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <string_view>

#include "base/text.h"
#include "doctor/checks.h"
#include "host/setup_error.h"
#include "host/system_paths.h"
#include "sys/control_file.h"
#include "sys/fd.h"

namespace bawn {
namespace {

constexpr unsigned long kOwnMounts = CLONE_NEWUSER | CLONE_NEWNS;

CheckAnswer judged(const Trial& trial, std::string_view kind, std::string evidence,
                   const HostRestrictions& restrictions) {
  if (trial.worked()) return {true, std::move(evidence), ""};
  const NamespaceRefusal refusal = {.sys_errno = trial.sys_errno,
                                    .at_clone = std::string_view(trial.failed_step) == kCloneStep,
                                    .on_file = trial.on_file,
                                    .limit_name = concat("user.max_", kind, "_namespaces"),
                                    .limit = limit_of(read_namespace_limits(), kind)};
  return refused(trial, diagnose_namespace(refusal, restrictions));
}

// ---- Functions that run in the child ------------------------------------------------------------

// Some hosts allow a new user namespace but remove every capability in it. Making a second
// namespace needs CAP_SYS_ADMIN, so it shows the difference.
Trial use_own_capability() {
  return unshare(CLONE_NEWUTS) == 0 ? Trial{}
                                    : failed_at("use a capability inside the user namespace");
}

Trial make_mounts_private() {
  const int done = mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
  return done == 0 ? Trial{} : failed_at("make every mount private");
}

// Mounts over the old root, as a run does, so no directory of the host is needed. Only the child's
// mount namespace changes.
Trial mount_new_tmpfs() {
  const Fd context(fsopen("tmpfs", FSOPEN_CLOEXEC));
  if (!context) return failed_at("fsopen tmpfs");
  if (fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return failed_at("fsconfig tmpfs");
  const Fd tmpfs(fsmount(context.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV));
  if (!tmpfs) return failed_at("fsmount tmpfs");
  if (move_mount(tmpfs.get(), "", AT_FDCWD, "/", MOVE_MOUNT_F_EMPTY_PATH) != 0) {
    return failed_at("move_mount tmpfs");
  }
  return fchdir(tmpfs.get()) == 0 ? Trial{} : failed_at("chdir into the new tmpfs");
}

// A directory that a run would show. A container image may have none of them, but it has "/".
const char* system_directory() {
  for (const std::string_view path : kShownTrees) {
    struct stat found {};
    if (stat(path.data(), &found) == 0 && S_ISDIR(found.st_mode)) return path.data();
  }
  return "/";
}

Trial bind_read_only(const Fd& tree) {
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  attributes.propagation = MS_PRIVATE;
  if (mount_setattr(tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes, sizeof attributes) !=
      0) {
    return failed_at("mount_setattr");
  }
  if (mkdir("host", 0755) != 0) return failed_at("mkdir in the new tmpfs");
  if (move_mount(tree.get(), "", AT_FDCWD, "host", MOVE_MOUNT_F_EMPTY_PATH) != 0)
    return failed_at("move_mount of the bound directory");
  struct statvfs status {};
  if (statvfs("host", &status) != 0) return failed_at("statvfs");
  constexpr unsigned long kExpected = ST_RDONLY | ST_NOSUID;
  return (status.f_flag & kExpected) == kExpected
             ? Trial{}
             : without_effect("mount_setattr left a directory writable");
}

// Every tier c root has a devpts, even if the command has no terminal.
Trial mount_terminals() {
  const Fd context(fsopen("devpts", FSOPEN_CLOEXEC));
  if (!context) return failed_at("fsopen devpts");
  if (fsconfig(context.get(), FSCONFIG_SET_STRING, "ptmxmode", "0666", 0) != 0 ||
      fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return failed_at("fsconfig devpts");
  const Fd terminals(
      fsmount(context.get(), FSMOUNT_CLOEXEC, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC));
  return terminals ? Trial{} : failed_at("fsmount devpts");
}

// open_tree comes first: after the new root is mounted, the clone would contain it.
Trial build_new_root() {
  if (const Trial trial = make_mounts_private(); !trial.worked()) return trial;
  const Fd tree(
      open_tree(AT_FDCWD, system_directory(), OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE));
  if (!tree) return failed_at("open_tree of a system directory");
  if (const Trial trial = mount_new_tmpfs(); !trial.worked()) return trial;
  if (const Trial trial = bind_read_only(tree); !trial.worked()) return trial;
  return mount_terminals();
}

Trial enter_new_root() {
  if (const Trial built = build_new_root(); !built.worked()) return built;
  if (syscall(SYS_pivot_root, ".", ".") != 0) return failed_at("pivot_root");
  if (umount2(".", MNT_DETACH) != 0) return failed_at("umount the old root");
  if (chdir("/") != 0) return failed_at("chdir /");
  const bool switched = access("/host", F_OK) == 0 && access("/proc", F_OK) != 0 && errno == ENOENT;
  return switched ? Trial{} : without_effect("the old root is still there");
}

Trial be_first_process() {
  return getpid() == 1
             ? Trial{}
             : without_effect("the first process of a new pid namespace is not process 1");
}

Trial mount_new_proc() {
  const Fd context(fsopen("proc", FSOPEN_CLOEXEC));
  if (!context) return failed_at("fsopen proc");
  if (fsconfig(context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0) != 0)
    return failed_at("fsconfig proc");
  const Fd proc(fsmount(context.get(), FSMOUNT_CLOEXEC, 0));
  if (!proc) return failed_at("fsmount proc");
  std::array<char, 8> self{};
  if (readlinkat(proc.get(), "self", self.data(), self.size() - 1) == -1)
    return failed_at("read the new /proc");
  return std::string_view(self.data()) == "1"
             ? Trial{}
             : without_effect("the new /proc shows other processes");
}

// init does the same: one thread makes the network namespace, the other enters it through
// SIOCGSKNS.
Trial enter_network_of(int socket_fd) {
  const Fd network(ioctl(socket_fd, SIOCGSKNS));
  if (!network) return failed_at("open the network namespace of a socket (SIOCGSKNS)");
  return setns(network.get(), CLONE_NEWNET) == 0 ? Trial{} : failed_at("setns");
}

Trial bring_loopback_up() {
  const Fd socket_fd(socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  if (!socket_fd) return failed_at("socket");
  ifreq request{};
  std::memcpy(request.ifr_name, "lo", sizeof "lo");
  if (ioctl(socket_fd.get(), SIOCGIFFLAGS, &request) != 0) return failed_at("read the flags of lo");
  if ((request.ifr_flags & IFF_UP) != 0)
    return without_effect("lo of a new network namespace was up before");
  request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
  if (ioctl(socket_fd.get(), SIOCSIFFLAGS, &request) != 0) return failed_at("bring lo up");
  if (ioctl(socket_fd.get(), SIOCGIFFLAGS, &request) != 0) return failed_at("read the flags of lo");
  if ((request.ifr_flags & IFF_UP) == 0) return without_effect("lo stays down");
  return enter_network_of(socket_fd.get());
}

Trial name_the_host() {
  constexpr std::string_view kName = "bawn-doctor";
  if (sethostname(kName.data(), kName.size()) != 0) return failed_at("sethostname");
  utsname names{};
  if (uname(&names) != 0) return failed_at("uname");
  const std::string_view found = static_cast<const char*>(names.nodename);
  if (found != kName) return without_effect("sethostname had no effect");
  constexpr std::string_view kNoDomain = "(none)";
  if (setdomainname(kNoDomain.data(), kNoDomain.size()) != 0) return failed_at("setdomainname");
  if (uname(&names) != 0) return failed_at("uname");
  const std::string_view domain = static_cast<const char*>(names.domainname);
  return domain == kNoDomain ? Trial{} : without_effect("setdomainname had no effect");
}

struct SmallCall {
  const char* name;
  long (*call)();
};

long keep_capabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  const long got = syscall(SYS_capget, &header, sets.data());
  return got != 0 ? got : syscall(SYS_capset, &header, sets.data());
}

long watch_signals() {
  const std::uint64_t mask = 1U << (SIGCHLD - 1);
  return syscall(SYS_signalfd4, -1, &mask, sizeof mask, O_CLOEXEC);
}

long forbid_raising() {
  const rlimit64 none = {0, 0};
  return syscall(SYS_prlimit64, 0, RLIMIT_RTPRIO, &none, nullptr);
}

long look_at_file_system() {
  const Fd root(open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
  struct statfs found {};
  return fstatfs(root.get(), &found);
}

// Calls that init makes for every command and that no other check covers. They do no harm in the
// child.
constexpr int kWhoProcess = 1;
constexpr unsigned kAskPersonality = 0xffffffff;
constexpr SmallCall kSmallCalls[] = {
    {"prctl(PR_SET_SECUREBITS)",
     [] { return long{prctl(PR_SET_SECUREBITS, SECBIT_NOROOT, 0, 0, 0)}; }},
    {"capget, capset", keep_capabilities},
    {"prctl(PR_CAPBSET_DROP)",
     [] { return long{prctl(PR_CAPBSET_DROP, CAP_SYS_MODULE, 0, 0, 0)}; }},
    {"prctl(PR_SET_DUMPABLE)", [] { return long{prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)}; }},
    {"prctl(PR_SET_PDEATHSIG)", [] { return long{prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0)}; }},
    {"setsid", [] { return syscall(SYS_setsid); }},
    {"signalfd4", watch_signals},
    {"getgroups", [] { return syscall(SYS_getgroups, 0, nullptr); }},
    {"personality", [] { return syscall(SYS_personality, kAskPersonality); }},
    {"prlimit64", forbid_raising},
    {"sched_getscheduler", [] { return syscall(SYS_sched_getscheduler, 0); }},
    {"getpriority", [] { return syscall(SYS_getpriority, PRIO_PROCESS, 0); }},
    {"ioprio_get", [] { return syscall(SYS_ioprio_get, kWhoProcess, 0); }},
    {"fstatfs", look_at_file_system},
};

Trial make_small_calls() {
  for (const SmallCall& small : kSmallCalls) {
    if (small.call() == -1) return failed_at(small.name);
  }
  return {};
}

// In a new cgroup namespace every line of /proc/self/cgroup ends in ":/", as in "4:memory:/".
Trial see_own_cgroup_as_root() {
  const auto text = sys::read_control(AT_FDCWD, "/proc/self/cgroup");
  if (!text) return {.failed_step = "read /proc/self/cgroup", .sys_errno = text.error().sys_errno};
  for (const std::string_view line : split(text.value(), '\n')) {
    if (!line.empty() && !line.ends_with(":/"))
      return without_effect("the cgroups of the host can be seen");
  }
  return {};
}

CheckAnswer check_user_namespace(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(CLONE_NEWUSER, use_own_capability);
  return judged(trial, "user",
                concat("uid ", geteuid(), " and gid ", getegid(), " mapped to themselves"),
                restrictions);
}

CheckAnswer check_mount_calls(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(kOwnMounts, build_new_root);
  if (trial.worked())
    return {true, "fsopen, open_tree, mount_setattr, move_mount: a directory was bound read-only",
            ""};
  return refused(trial, diagnose_call(trial.sys_errno, "Linux 5.12", restrictions));
}

CheckAnswer check_root_switch(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(kOwnMounts, enter_new_root);
  if (trial.worked()) return {true, "pivot_root, and the old root was gone", ""};
  if (trial.sys_errno == EINVAL) {
    return refused(
        trial, {"the root of this system is the initial RAM disk, which pivot_root cannot leave",
                "start bawn after switch_root, or in a chroot on a mounted file system"});
  }
  return refused(trial, diagnose_call(trial.sys_errno, "Linux 5.12", restrictions));
}

CheckAnswer check_fresh_proc(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(kOwnMounts | CLONE_NEWPID, mount_new_proc);
  if (trial.worked()) return {true, "a new /proc showed process 1 only", ""};
  if (trial.sys_errno != EPERM)
    return refused(trial, diagnose_call(trial.sys_errno, "Linux 5.2", restrictions));
  return refused(
      trial, {"parts of /proc are covered, as container runtimes do, and a new one would show them",
              "docker run --security-opt systempaths=unconfined; podman run --security-opt "
              "unmask=ALL; Kubernetes: securityContext.procMount: Unmasked"});
}

CheckAnswer check_launch_calls(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(CLONE_NEWUSER, make_small_calls);
  if (trial.worked())
    return {true, concat(std::size(kSmallCalls), " system calls that precede every command worked"),
            ""};
  return refused(trial, diagnose_call(trial.sys_errno, "Linux 5.12", restrictions));
}

constexpr Check kNamespaceChecks[] = {
    {kUserNamespace, For::tier_c, "", "", check_user_namespace},
    {"mount-namespace", For::tier_c, kUserNamespace, "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(kOwnMounts, make_mounts_private), "mnt",
                     "every mount made private", restrictions);
     }},
    {"mount-calls", For::tier_c, "mount-namespace", "", check_mount_calls},
    {"root-switch", For::tier_c, "mount-calls", "", check_root_switch},
    {"pid-namespace", For::tier_c, kUserNamespace, "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(CLONE_NEWUSER | CLONE_NEWPID, be_first_process), "pid",
                     "its first process was process 1", restrictions);
     }},
    {"fresh-proc", For::neither, "pid-namespace",
     "/proc is empty: the command sees no process, and programs that read /proc fail",
     check_fresh_proc},
    {"network-namespace", For::tier_c, kUserNamespace, "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(CLONE_NEWUSER | CLONE_NEWNET, bring_loopback_up), "net",
                     "lo was down and came up", restrictions);
     }},
    {"ipc-uts-namespaces", For::tier_c, kUserNamespace, "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(CLONE_NEWUSER | CLONE_NEWIPC | CLONE_NEWUTS, name_the_host),
                     "uts", "a separate host name and domain name were set", restrictions);
     }},
    {"cgroup-namespace", For::tier_c, kUserNamespace, "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(CLONE_NEWUSER | CLONE_NEWCGROUP, see_own_cgroup_as_root),
                     "cgroup", "its own cgroup was the root", restrictions);
     }},
    {"launch-calls", For::tier_c, kUserNamespace, "", check_launch_calls},
};

}  // namespace

std::span<const Check> namespace_checks() { return kNamespaceChecks; }

}  // namespace bawn
