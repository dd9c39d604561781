#include <elf.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "doctor/checks.h"
#include "host/cgroup_place.h"
#include "host/host_ids.h"
#include "host/id_mapping.h"
#include "host/id_range_probe.h"
#include "host/probe.h"
#include "host/setup_error.h"
#include "host/system_facts.h"
#include "policy/policy.h"
#include "sys/call.h"
#include "sys/control_file.h"
#include "sys/fd.h"
#include "sys/open.h"

namespace bawn {
namespace {

CheckAnswer judged(const Trial& trial, std::string evidence, std::string_view since,
                   const HostRestrictions& restrictions) {
  if (trial.worked()) return {true, std::move(evidence), ""};
  return refused(trial, diagnose_call(trial.sys_errno, since, restrictions));
}

// ---- Processes ----------------------------------------------------------------------------------

Trial clone_with_pidfd() {
  int pidfd = -1;
  clone_args arguments{};
  arguments.flags = CLONE_PIDFD;
  arguments.pidfd = reinterpret_cast<std::uintptr_t>(&pidfd);
  arguments.exit_signal = SIGCHLD;
  const long child = syscall(SYS_clone3, &arguments, sizeof arguments);
  if (child == -1) return failed_at("clone3 with CLONE_PIDFD");
  if (child == 0) _exit(0);
  siginfo_t info{};
  if (waitid(P_PIDFD, static_cast<id_t>(pidfd), &info, WEXITED) != 0)
    return failed_at("waitid on a pidfd");
  return info.si_pid == child ? Trial{} : without_effect("the pidfd was of another process");
}

Trial kill_through_pidfd() {
  const pid_t child = fork();
  if (child == -1) return failed_at("fork");
  if (child == 0) {
    for (;;) pause();
  }
  const Fd pidfd(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
  const Trial opened = pidfd ? Trial{} : failed_at("pidfd_open");
  const bool sent = pidfd && syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0) == 0;
  const Trial signalled = sent ? Trial{} : failed_at("pidfd_send_signal");
  if (!sent) kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  return opened.worked() ? signalled : opened;
}

Trial close_everything() {
  const int spare = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 100);
  if (spare == -1) return failed_at("duplicate a file");
  constexpr unsigned kCloexec = 4;  // Linux 5.11
  if (syscall(SYS_close_range, spare, ~0U, kCloexec) != 0)
    return failed_at("close_range with CLOEXEC");
  if (syscall(SYS_close_range, spare, ~0U, 0) != 0) return failed_at("close_range");
  return fcntl(spare, F_GETFD) == -1 ? Trial{} : without_effect("close_range left a file open");
}

// ---- An executable in memory --------------------------------------------------------------------

constexpr int kExpectedExit = 42;
// MFD_EXEC, Linux 6.3. Older kernels make every memfd executable and refuse the flag.
constexpr unsigned kMfdExec = 0x10;

// exit(42).
#if defined(__x86_64__)
constexpr unsigned char kExitCode[] = {0xbf, kExpectedExit, 0, 0, 0, 0xb8, 60, 0, 0, 0, 0x0f, 0x05};
constexpr Elf64_Half kMachine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned char kExitCode[] = {0x40, 0x05, 0x80, 0xd2, 0xa8, 0x0b,
                                       0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4};
constexpr Elf64_Half kMachine = EM_AARCH64;
#else
#error "bawn knows x86_64 and aarch64"
#endif

// The smallest ELF executable: two headers followed by the code, loaded at its file offsets.
struct TinyProgram {
  Elf64_Ehdr header;
  Elf64_Phdr segment;
  unsigned char code[sizeof kExitCode];
};

TinyProgram tiny_program() {
  constexpr Elf64_Addr kBase = 0x400000;
  TinyProgram program{};
  std::memcpy(program.header.e_ident, ELFMAG, SELFMAG);
  program.header.e_ident[EI_CLASS] = ELFCLASS64;
  program.header.e_ident[EI_DATA] = ELFDATA2LSB;
  program.header.e_ident[EI_VERSION] = EV_CURRENT;
  program.header.e_type = ET_EXEC;
  program.header.e_machine = kMachine;
  program.header.e_version = EV_CURRENT;
  program.header.e_entry = kBase + offsetof(TinyProgram, code);
  program.header.e_phoff = offsetof(TinyProgram, segment);
  program.header.e_ehsize = sizeof program.header;
  program.header.e_phentsize = sizeof program.segment;
  program.header.e_phnum = 1;
  program.segment = {.p_type = PT_LOAD,
                     .p_flags = PF_R | PF_X,
                     .p_vaddr = kBase,
                     .p_paddr = kBase,
                     .p_filesz = sizeof program,
                     .p_memsz = sizeof program,
                     .p_align = 0x10000};
  std::memcpy(program.code, kExitCode, sizeof kExitCode);
  return program;
}

Trial execute_from_memory() {
  Fd file(memfd_create("bawn-doctor", MFD_CLOEXEC | kMfdExec));
  if (!file && errno == EINVAL) file = Fd(memfd_create("bawn-doctor", MFD_CLOEXEC));
  if (!file) return failed_at("memfd_create");
  const TinyProgram program = tiny_program();
  if (write(file.get(), &program, sizeof program) != sizeof program)
    return failed_at("write to the memfd");
  // execve returns ETXTBSY for a file that is open for writing, but not for a memfd.
  const pid_t child = fork();
  if (child == -1) return failed_at("fork");
  if (child == 0) {
    char* const nothing[] = {nullptr};
    char name[] = "bawn-doctor";
    char* const arguments[] = {name, nullptr};
    syscall(SYS_execveat, file.get(), "", arguments, nothing, AT_EMPTY_PATH);
    _exit(errno == kExpectedExit ? EIO : errno);
  }
  int status = 0;
  if (waitpid(child, &status, 0) != child) return failed_at("waitpid");
  if (WIFEXITED(status) && WEXITSTATUS(status) == kExpectedExit) return {};
  if (!WIFEXITED(status)) return without_effect("execute from memory: the program died");
  return {.failed_step = "execute from memory", .sys_errno = WEXITSTATUS(status)};
}

// ---- Filters ------------------------------------------------------------------------------------

Trial refuse_one_call() {
  sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOTTY),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog program = {std::size(filter), filter};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed_at("set no_new_privs");
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) != 0)
    return failed_at("install a seccomp filter");
  const bool refused = syscall(SYS_getppid) == -1 && errno == ENOTTY;
  return refused ? Trial{} : without_effect("the seccomp filter refuses nothing");
}

// Trial::number is the ABI version.
constexpr const char* kAskAbi = "ask for Landlock's ABI";
Trial refuse_one_directory() {
  const long abi =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (abi < 1) return failed_at(kAskAbi);
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = LANDLOCK_ACCESS_FS_READ_DIR;
  const Fd ruleset(
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0)));
  if (!ruleset) return failed_at("landlock_create_ruleset");
  const Fd allowed(open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  const landlock_path_beneath_attr rule = {.allowed_access = LANDLOCK_ACCESS_FS_READ_DIR,
                                           .parent_fd = allowed.get()};
  if (syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0)
    return failed_at("landlock_add_rule");
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return failed_at("set no_new_privs");
  if (syscall(SYS_landlock_restrict_self, ruleset.get(), 0) != 0)
    return failed_at("landlock_restrict_self");
  const Fd root(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (root || errno != EACCES) return without_effect("Landlock refuses nothing");
  return worked_with(static_cast<int>(abi));
}

// ---- Files and terminals ------------------------------------------------------------------------

Trial resolve_in_root() {
  const Fd below(open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!below) return failed_at("open /proc");
  open_how how{};
  how.flags = O_PATH | O_CLOEXEC;
  how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
  const Fd inside(
      static_cast<int>(syscall(SYS_openat2, below.get(), "../../..", &how, sizeof how)));
  if (!inside) return failed_at("openat2");
  struct stat root {};
  struct stat found {};
  if (fstat(below.get(), &root) != 0 || fstat(inside.get(), &found) != 0) return failed_at("fstat");
  const bool same = root.st_ino == found.st_ino && root.st_dev == found.st_dev;
  return same ? Trial{} : without_effect("openat2 left the root it was given");
}

Trial look_at_root() {
  struct statx found {};
  if (syscall(SYS_statx, AT_FDCWD, "/", AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_INO, &found) != 0)
    return failed_at("statx");
  return S_ISDIR(found.stx_mode) ? Trial{}
                                 : without_effect("statx did not say that / is a directory");
}

// Makes and removes a directory as init does for a tier b run with a private /tmp.
Trial make_private_directory(const char* parent) {
  const std::string directory = concat(std::string_view(parent), "/bawn-doctor-", getpid());
  if (mkdir(directory.c_str(), 0700) != 0) return failed_at("make a directory");
  const bool usable = mkdir(concat(directory, "/tmp").c_str(), 0700) == 0;
  const Trial used = usable ? Trial{} : failed_at("make another in it");
  if (usable) rmdir(concat(directory, "/tmp").c_str());
  return rmdir(directory.c_str()) == 0 ? used : failed_at("remove a directory");
}

Trial talk_through_terminal() {
  int outer = -1;
  int inner = -1;
  if (openpty(&outer, &inner, nullptr, nullptr, nullptr) != 0)
    return failed_at("openpty (/dev/ptmx, /dev/pts)");
  const Fd outer_end(outer);
  const Fd inner_end(inner);
  char text = 0;
  if (write(outer, "x\n", 2) != 2 || read(inner, &text, 1) != 1)
    return failed_at("talk through the terminal");
  return text == 'x' ? Trial{} : without_effect("the terminal says something else");
}

// ---- Ranges of ids ------------------------------------------------------------------------------

// A child in a new user namespace without id maps. It lives as long as this object.
class NamespaceHolder {
 public:
  NamespaceHolder() {
    const pid_t parent = getpid();
    process_ = static_cast<pid_t>(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0));
    if (process_ != 0) return;
    // The parent may have died before prctl; then no signal comes, so check getppid().
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) _exit(1);
    for (;;) pause();
  }
  NamespaceHolder(const NamespaceHolder&) = delete;
  NamespaceHolder& operator=(const NamespaceHolder&) = delete;
  ~NamespaceHolder() {
    if (process_ == -1) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }

  [[nodiscard]] pid_t process() const { return process_; }

 private:
  pid_t process_ = -1;
};

std::uint64_t count_of(const IdMap& map) {
  std::uint64_t count = 0;
  for (const IdExtent& extent : map) count += extent.count;
  return count;
}

// ---- A cgroup -----------------------------------------------------------------------------------

Result<void> try_limits(CgroupVersion version, const CgroupParent& parent,
                        const std::string& directory) {
  const char* const memory = version == CgroupVersion::v2 ? "memory.max" : "memory.limit_in_bytes";
  for (const CgroupController controller : parent.controllers) {
    const bool processes = controller == CgroupController::pids;
    const std::string file =
        concat(directory, "/", std::string_view(processes ? "pids.max" : memory));
    BAWN_TRY(sys::write_control(AT_FDCWD, file, processes ? "64" : "67108864"));
  }
  return {};
}

Result<void> try_cgroup(CgroupVersion version, const CgroupParent& parent) {
  const std::string directory = concat(parent.directory, "/bawn-doctor-", getpid());
  BAWN_TRY(sys::checked(concat("mkdir ", quote(directory)),
                        [&] { return mkdir(directory.c_str(), 0755); }));
  // Does not enable controllers, as a run would do: doctor makes no lasting change.
  auto limited = parent.to_enable.empty() ? try_limits(version, parent, directory) : Result<void>();
  BAWN_TRY(
      sys::checked(concat("rmdir ", quote(directory)), [&] { return rmdir(directory.c_str()); }));
  return limited;
}

CheckAnswer no_cgroup(const CgroupView& view, const Error& error) {
  if (judge_cgroup(error.sys_errno) != SetupError::impossible)
    return {false, error.message, std::string(cgroup_shortage_hint(error.sys_errno))};
  return {false, error.message, cgroup_fix(view.file_system(view.mount) == CgroupFileSystem::v2)};
}

CheckAnswer check_memory_executable(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(0, execute_from_memory);
  if (trial.worked()) return {true, "a program in a memfd ran", ""};
  return refused(trial, diagnose_memfd(trial.sys_errno, restrictions));
}

CheckAnswer check_landlock(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(0, refuse_one_directory);
  if (trial.worked()) return {true, concat("ABI ", trial.number, "; a directory was refused"), ""};
  if (trial.sys_errno == EOPNOTSUPP) {
    return refused(
        trial,
        {"Landlock is switched off at boot",
         "add landlock to the kernel's parameter lsm=, as in lsm=landlock,lockdown,yama,apparmor"});
  }
  return refused(trial, diagnose_call(trial.sys_errno, "Linux 5.13 with CONFIG_SECURITY_LANDLOCK",
                                      restrictions));
}

// Tier c runs without Landlock if the kernel has none. If the kernel has it, it must work
// completely.
CheckAnswer check_landlock_or_none(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(0, refuse_one_directory);
  if (trial.worked()) return {true, "Landlock works", ""};
  const bool none = std::string_view(trial.failed_step) == kAskAbi &&
                    (trial.sys_errno == ENOSYS || trial.sys_errno == EOPNOTSUPP);
  if (none) return {true, "the kernel has no Landlock; the mounts alone confine files", ""};
  return refused(trial, diagnose_call(trial.sys_errno, "Linux 5.13", restrictions));
}

CheckAnswer check_cgroup(const HostRestrictions& /*restrictions*/) {
  const CgroupView view = CgroupView::of_this_process();
  const auto place =
      find_cgroup_place(view, {CgroupController::memory, CgroupController::pids}, {});
  if (!place) return no_cgroup(view, place.error());
  std::vector<std::string> directories;
  for (const CgroupParent& parent : place.value().parents) {
    if (const auto tried = try_cgroup(place.value().version, parent); !tried)
      return no_cgroup(view, tried.error());
    directories.push_back(parent.directory);
  }
  const std::string_view version = place.value().version == CgroupVersion::v2 ? "v2" : "v1";
  return {true,
          concat("cgroup ", version, ": one was made with limits in ", enumerated(directories)),
          ""};
}

CheckAnswer check_terminal(const HostRestrictions& restrictions) {
  const Trial trial = try_in_child(0, talk_through_terminal);
  if (trial.worked()) return {true, "text went through a new terminal", ""};
  if (trial.sys_errno == ENOENT) {
    return refused(trial, {"/dev/pts is not mounted",
                           "sudo mount -t devpts devpts /dev/pts -o newinstance,ptmxmode=0666"});
  }
  return refused(trial, diagnose_call(trial.sys_errno, "Linux 4.13", restrictions));
}

CheckAnswer check_private_directory(const HostRestrictions& /*restrictions*/) {
  const std::string parent = linux_facts().private_parent;
  const Trial trial = make_private_directory(parent.c_str());
  if (trial.worked()) return {true, concat("a directory was made in ", parent, " and removed"), ""};
  return refused(trial,
                 {concat("in ", parent),
                  concat("let ", parent, " be a directory that you may write to (sudo chmod 1777 ",
                         parent, "), with space left; or use tier c")});
}

// Maps the ids that a run by this user would get.
CheckAnswer check_id_ranges(const HostRestrictions& restrictions) {
  const IdRangeFacts facts = probe_id_ranges(geteuid());
  if (!facts.lack.empty()) return {false, facts.lack, facts.fix};
  const IdMaps maps = {.users = plan_id_map({geteuid(), geteuid()}, facts.users),
                       .groups = plan_id_map({getegid(), getegid()}, facts.groups)};
  const NamespaceHolder holder;
  if (holder.process() == -1) {
    const Trial trial = failed_at(kCloneStep);
    return refused(trial, diagnose_call(trial.sys_errno, "Linux 3.8", restrictions));
  }
  const auto mapped = map_id_ranges(holder.process(), maps, facts.mappers);
  if (!mapped)
    return {false, mapped.error().message,
            "look at /etc/subuid and /etc/subgid, and at what the program says"};
  return {true,
          concat(facts.mappers.users, " mapped ", count_of(maps.users), " users, ",
                 facts.mappers.groups, " ", count_of(maps.groups), " groups"),
          ""};
}

// Idmaps a detached copy of the mount of the working directory, as a run of root's would.
Trial idmap_working_directory(int map) {
  constexpr unsigned kHow = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;
  const Fd tree(static_cast<int>(syscall(SYS_open_tree, AT_FDCWD, ".", kHow)));
  if (!tree) return failed_at("open_tree");
  struct mount_attr attributes = {};
  attributes.attr_set = MOUNT_ATTR_IDMAP;
  attributes.userns_fd = static_cast<__u64>(map);
  const long set =
      syscall(SYS_mount_setattr, tree.get(), "", AT_EMPTY_PATH, &attributes, sizeof attributes);
  return set == 0 ? Trial{} : failed_at("idmap the mount of the working directory");
}

CheckAnswer check_host_ids(const HostRestrictions& restrictions) {
  if (geteuid() != 0) return {true, "the caller is not root: its runs keep its own ids", ""};
  const std::string lack =
      lack_of_host_ids(restrictions.capabilities, {.lack = probe_lack_of_ids()});
  if (!lack.empty()) return {false, lack, "run bawn as the host's root, with all capabilities"};
  const auto user = static_cast<std::uint32_t>(IdentityPolicy().first_host_id);
  const NamespaceHolder holder;
  if (holder.process() == -1) {
    const Trial trial = failed_at(kCloneStep);
    return refused(trial, diagnose_call(trial.sys_errno, "Linux 3.8", restrictions));
  }
  const IdMap map = plan_mount_map(0, user);
  if (const auto mapped = write_id_maps(holder.process(), {.users = map, .groups = map}); !mapped)
    return {false, mapped.error().message, ""};
  const auto file = sys::open(concat("/proc/", holder.process(), "/ns/user").c_str(), O_RDONLY);
  if (!file) return {false, file.error().message, ""};
  const Trial trial = idmap_working_directory(file.value().get());
  if (trial.worked()) return {true, "the mount of the working directory was idmapped", ""};
  return refused(trial, {"the file system of the working directory cannot be idmapped, or the "
                         "kernel has no idmapped mounts",
                         "keep workspaces on ext4, xfs, btrfs or tmpfs, with Linux 5.12 or newer"});
}

constexpr Check kKernelChecks[] = {
    {"seccomp", For::both, "", "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(0, refuse_one_call), "a seccomp filter made getppid fail",
                     "Linux 3.17 with CONFIG_SECCOMP_FILTER", restrictions);
     }},
    {"pidfd", For::both, "", "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(0, kill_through_pidfd), "a child was killed through its pidfd",
                     "Linux 5.3", restrictions);
     }},
    {"close-range", For::both, "", "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(0, close_everything), "close_range closed an open file",
                     "Linux 5.11", restrictions);
     }},
    {"memory-executable", For::both, "", "", check_memory_executable},
    {"landlock", For::tier_b, "", "tier c runs without Landlock behind its mounts", check_landlock},
    {"landlock-or-none", For::tier_c, "", "", check_landlock_or_none},
    {"cgroup", For::neither, "",
     "memory is limited for each process alone, and processes by RLIMIT_NPROC", check_cgroup},
    {"terminal", For::neither, "", "the command cannot have a private terminal", check_terminal},
    {"clone3", For::neither, "", "clone is used, and cgroups are entered after the clone",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(0, clone_with_pidfd),
                     "clone3 made a child, and waitid on its pidfd worked", "Linux 5.4",
                     restrictions);
     }},
    {"openat2", For::tier_c, "", "in tier b, paths are walked one component at a time",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(0, resolve_in_root), "'..' could not leave a directory",
                     "Linux 5.6", restrictions);
     }},
    {"statx", For::tier_c, "", "",
     [](const HostRestrictions& restrictions) {
       return judged(try_in_child(0, look_at_root), "statx said that / is a directory",
                     "Linux 4.11", restrictions);
     }},
    {"private-directory", For::tier_b, "",
     "tier c keeps the run's private directories in memory; tier b only runs policies that need "
     "none",
     check_private_directory},
    {"host-ids-of-root", For::neither, kUserNamespace,
     "a run of root's has the host ids of the workspace's owner, or root's, without idmapped "
     "mounts",
     check_host_ids},
    {"id-ranges", For::neither, kUserNamespace,
     "one user and one group exist inside, which is the default anyway; --id-ranges is refused",
     check_id_ranges},
};

}  // namespace

std::span<const Check> kernel_checks() { return kKernelChecks; }

}  // namespace bawn
