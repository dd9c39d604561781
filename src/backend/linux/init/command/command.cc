#include "backend/linux/init/command/command.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sys/resource.h>

#include "backend/linux/init/command/privileges.h"
#include "backend/linux/init/kernel.h"
#include "backend/linux/init/root/namespaces.h"
#include "backend/linux/init/root/nested_proc.h"
#include "backend/linux/init/step_times.h"
#include "backend/linux/init/terminal.h"

namespace bawn::init {
namespace {

constexpr unsigned kCharacterDevice = 0020000;
constexpr unsigned kCloseRangeCloexec = 4;

// Ends the child if the kernel refused the step; the shared report names the step.
long require(const Command& command, Step step, long result, int index = 0) {
  if (result >= 0) return result;
  command.report->step = step;
  command.report->error = static_cast<std::int32_t>(-result);
  command.report->index = index;
  leave(1);
}

// For a read-back: a setting that the kernel accepted but does not show is as bad as a refused one.
void require_that(const Command& command, Step step, bool holds) {
  if (!holds) require(command, step, kEperm);
}

// The nested pid namespace was made by this process's clone; this verifies it and mounts its /proc.
void be_process_1(const Command& command) {
  if (command.setup == nullptr || !command.setup->as_pid_1) return;
  Readback& readback = command.report->readback;
  readback.is_pid_1 = kernel(__NR_getpid) == 1;
  require_that(command, Step::nested_pid_namespace, readback.is_pid_1);
  record_time(command.step_times, Step::nested_pid_namespace);
  std::int32_t op = 0;
  const long exchanged = exchange_proc(*command.setup, *command.exec, readback, op);
  require(command, Step::nested_proc, exchanged, op);
  record_time(command.step_times, Step::nested_proc);
}

void start_session(const Command& command) {
  const long session = require(command, Step::new_session, kernel(__NR_setsid));
  command.report->readback.session_is_own = session == kernel(__NR_getpid) ? 1 : 0;
  require_that(command, Step::new_session, command.report->readback.session_is_own == 1);
  record_time(command.step_times, Step::new_session);
}

// As a shell does with a job: the command becomes a process group in its parent's session.
void join_terminal(const Command& command) {
  const auto self = static_cast<std::int32_t>(kernel(__NR_getpid));
  const bool foreground = command.exec->terminal.foreground;
  require(command, Step::join_terminal, kernel(__NR_setpgid, 0, 0));
  if (foreground) require(command, Step::join_terminal, set_foreground(command.terminal, self));
  const long session = kernel(__NR_getsid, 0);
  Readback& readback = command.report->readback;
  readback.session_is_own = session == command.init ? 1 : 0;
  readback.terminal = session == session_of(command.terminal) ? 1 : 0;
  require_that(command, Step::join_terminal,
               readback.session_is_own == 1 && readback.terminal == 1);
  require_that(command, Step::join_terminal,
               (foreground_of(command.terminal) == self) == foreground);
  record_time(command.step_times, Step::join_terminal);
}

// When a session leader gets a controlling terminal, the kernel makes the leader's group the
// foreground group.
void lead_terminal(const Command& command) {
  start_session(command);
  require(command, Step::join_terminal, take_control(command.terminal));
  command.report->readback.terminal = 1;
  require_that(command, Step::join_terminal,
               foreground_of(command.terminal) == kernel(__NR_getpid));
  record_time(command.step_times, Step::join_terminal);
}

// The cgroup is new, so its cgroup.procs must list this process and no other.
bool is_alone_in(int entrance) {
  char list[sizeof(Decimal)] = {};
  const Decimal own(static_cast<std::uint64_t>(kernel(__NR_getpid)));
  const long got = kernel(__NR_pread64, entrance, list, sizeof list, 0);
  long at = 0;
  while (at < got && own.text[at] != 0 && list[at] == own.text[at]) ++at;
  return got == at + 1 && own.text[at] == 0 && list[at] == '\n';
}

// The kernel checks the credentials with which cgroup.procs was opened. bawn opened it, so the
// write works although this process may have switched its user.
void enter_cgroup(const Command& command) {
  Readback& readback = command.report->readback;
  for (std::uint32_t slot = slot_entrance; slot <= slot_entrance_3; ++slot) {
    const int entrance = command.files[slot];
    if (entrance < 0) continue;
    if (!readback.cloned_into_cgroup) {
      require(command, Step::enter_cgroup, kernel(__NR_write, entrance, "0", 1),
              readback.cgroups_entered);
    }
    // ESRCH, and not an errno of the kernel: another process is in the cgroup, which says nothing
    // about what this host supports.
    require(command, Step::enter_cgroup, is_alone_in(entrance) ? 0 : kEsrch);
    ++readback.cgroups_entered;
  }
  if (readback.cgroups_entered == 0) return;
  if (command.setup != nullptr) {
    require(command, Step::enter_cgroup, kernel(__NR_unshare, CLONE_NEWCGROUP));
  }
  record_time(command.step_times, Step::enter_cgroup);
}

// Only the command is in this namespace, so init could not read it. Without a /proc it stays
// unread.
void read_cgroup_namespace(const Command& command) {
  if (command.setup == nullptr || command.report->readback.fresh_proc != 1) return;
  std::uint64_t& inode = command.report->readback.namespaces[kCgroupNamespace];
  require(command, Step::clone_command, read_namespace(AT_FDCWD, "/proc/self/ns/cgroup", inode));
  require_that(command, Step::clone_command,
               inode != command.exec->outer_namespaces[kCgroupNamespace]);
}

void die_with_init(const Command& command) {
  require(command, Step::die_with_init, kernel(__NR_prctl, PR_SET_PDEATHSIG, kKillSignal, 0, 0, 0));
  // If init died before the prctl, no signal will come, but then the parent is another process. In
  // a nested pid namespace getppid() is always 0, so this proves nothing; there it is not needed,
  // because init was pid 1 of the outer namespace and the kernel kills everything in it.
  require_that(command, Step::die_with_init, kernel(__NR_getppid) == command.init);
  record_time(command.step_times, Step::die_with_init);
}

// umask() returns the previous mask, so the second call reads back the first.
void reset_umask(const Command& command) {
  constexpr long kMask = 022;
  require(command, Step::reset_umask, kernel(__NR_umask, kMask));
  require_that(command, Step::reset_umask, kernel(__NR_umask, kMask) == kMask);
  record_time(command.step_times, Step::reset_umask);
}

// personality(0xffffffff) changes nothing and returns the current one.
void reset_personality(const Command& command) {
  constexpr unsigned kAsk = 0xffffffff;
  require(command, Step::reset_personality, kernel(__NR_personality, 0));
  require_that(command, Step::reset_personality, kernel(__NR_personality, kAsk) == 0);
  record_time(command.step_times, Step::reset_personality);
}

// A new session keyring, so that the command does not inherit the caller's keys. Two refusals are
// accepted: a kernel without keyrings (ENOSYS), and a container whose filter forbids keyctl
// altogether (EPERM), because it forbids keyctl to the command as well. Any other error is fatal.
void join_new_keyring(const Command& command) {
  const long serial = kernel(__NR_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
  command.report->readback.keyring = static_cast<std::int32_t>(serial);
  if (serial == kEnosys) return;
  if (serial == kEperm &&
      kernel(__NR_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0) == kEperm)
    return;
  require(command, Step::new_keyring, serial);
}

void connect_stdio(const Command& command) {
  for (int fd = 0; fd < 3; ++fd) {
    require(command, Step::connect_stdio,
            kernel(__NR_dup3, command.files[slot_stdin + static_cast<std::uint32_t>(fd)], fd, 0),
            fd);
  }
  record_time(command.step_times, Step::connect_stdio);
}

void set_limits(const Command& command) {
  for (std::uint32_t i = 0; i < command.exec->rlimit_count; ++i) {
    const Rlimit& wanted = command.exec->rlimits[i];
    const struct rlimit64 value = {wanted.value, wanted.value};
    struct rlimit64 now = {};
    require(command, Step::limits, kernel(__NR_prlimit64, 0, wanted.resource, &value, nullptr),
            static_cast<int>(i));
    require(command, Step::limits, kernel(__NR_prlimit64, 0, wanted.resource, nullptr, &now),
            static_cast<int>(i));
    command.report->readback.rlimits[i] = now.rlim_max;
    require_that(command, Step::limits,
                 now.rlim_cur == wanted.value && now.rlim_max == wanted.value);
  }
  record_time(command.step_times, Step::limits);
}

// If bawn is root, the command keeps uid 0. Without the securebits and the empty bounding set it
// would regain every capability at exec. In namespaces init has already emptied the bounding set,
// which this process inherited.
void lock_privileges(const Command& command) {
  const bool drops = command.exec->drop_bounding_set;
  if (drops) {
    constexpr unsigned kLocked = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                 SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                                 SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
    require(command, Step::bounding_set, kernel(__NR_prctl, PR_SET_SECUREBITS, kLocked, 0, 0, 0));
    require_that(command, Step::bounding_set,
                 kernel(__NR_prctl, PR_GET_SECUREBITS, 0, 0, 0, 0) == kLocked);
    if (command.setup == nullptr) require(command, Step::bounding_set, empty_bounding_set());
  }
  command.report->readback.bounding = bounding_set();
  require_that(command, Step::bounding_set, !drops || command.report->readback.bounding == 0);
  if (drops) record_time(command.step_times, Step::bounding_set);
}

void give_up_capabilities(const Command& command) {
  require(command, Step::capabilities,
          kernel(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
  require(command, Step::capabilities, drop_capabilities(command.report->readback.capabilities));
  require_that(command, Step::capabilities, command.report->readback.capabilities == 0);
  record_time(command.step_times, Step::capabilities);
}

void give_up_new_privileges(const Command& command) {
  require(command, Step::no_new_privs, kernel(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  command.report->readback.no_new_privs =
      static_cast<std::int32_t>(kernel(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  require_that(command, Step::no_new_privs, command.report->readback.no_new_privs == 1);
  record_time(command.step_times, Step::no_new_privs);
}

// The probe is a call that the ruleset must refuse. Outside namespaces: reading "/", which no rule
// allows unless the policy grants it. In namespaces the whole root is readable, so the probe makes
// a device node: Landlock refuses that with EACCES, before the kernel's own check of CAP_MKNOD
// would give EPERM.
bool landlock_holds(const Command& command) {
  std::int32_t& probe = command.report->readback.landlock_probe;
  if (command.setup != nullptr) {
    probe = static_cast<std::int32_t>(
        -kernel(__NR_mknodat, AT_FDCWD, "/dev/shm/landlock", kCharacterDevice, 0x103));
    return probe == -kEacces;
  }
  const long opened = kernel(__NR_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  probe = opened < 0 ? static_cast<std::int32_t>(-opened) : 0;
  if (opened >= 0) kernel(__NR_close, opened);
  return opened < 0 || command.exec->root_is_granted;
}

// Asks the kernel whether this process may execute a file that no rule permits. A kernel before
// 6.14 does not know the flag, refuses the call with EINVAL, and executes nothing.
bool execution_is_refused(const Command& command) {
  if (command.exec->exec_probe == nullptr) return true;
  constexpr int kCheckOnly = 0x10000;  // AT_EXECVE_CHECK
  const long answer = kernel(__NR_execveat, AT_FDCWD, command.exec->exec_probe,
                             command.exec->argv.at, command.exec->envp.at, kCheckOnly);
  command.report->readback.exec_probe = static_cast<std::int32_t>(-answer);
  return answer < 0;
}

// Landlock has no call that tells what it enforces, so a probe checks it.
void enter_landlock(const Command& command) {
  if (command.files[slot_landlock] < 0) return;
  require(command, Step::landlock,
          kernel(__NR_landlock_restrict_self, command.files[slot_landlock], 0));
  require_that(command, Step::landlock, landlock_holds(command) && execution_is_refused(command));
  record_time(command.step_times, Step::landlock);
}

void enter_seccomp(const Command& command) {
  const auto& filter = command.exec->filter;
  const sock_fprog fprog = {.len = static_cast<unsigned short>(filter.count), .filter = filter.at};
  require(command, Step::seccomp, kernel(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &fprog));
  command.report->readback.seccomp_mode =
      static_cast<std::int32_t>(kernel(__NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0));
  require_that(command, Step::seccomp,
               command.report->readback.seccomp_mode == SECCOMP_MODE_FILTER);
  record_time(command.step_times, Step::seccomp);
}

void unblock_signals(const Command& command) {
  constexpr int kSetMask = 2;
  const std::uint64_t none = 0;
  require(command, Step::execute,
          kernel(__NR_rt_sigprocmask, kSetMask, &none, nullptr, sizeof none));
}

[[noreturn]] void execute(const Command& command) {
  command.report->step = Step::none;
  command.report->error = 0;
  if (command.exec->trial) leave(0);
  require(command, Step::execute,
          kernel(__NR_execveat, command.files[slot_executable], "", command.exec->argv.at,
                 command.exec->envp.at, AT_EMPTY_PATH));
  leave(1);
}

}  // namespace

void become_command(const Command& command) {
  record_time(command.step_times, Step::clone_command);
  be_process_1(command);
  enter_cgroup(command);
  read_cgroup_namespace(command);
  if (command.terminal < 0) {
    start_session(command);
  } else if (command.exec->terminal.led_by_command) {
    lead_terminal(command);
  } else {
    join_terminal(command);
  }
  die_with_init(command);
  reset_umask(command);
  reset_personality(command);
  join_new_keyring(command);
  record_time(command.step_times, Step::new_keyring);
  connect_stdio(command);
  require(command, Step::close_files, kernel(__NR_close_range, 3, ~0U, kCloseRangeCloexec));
  record_time(command.step_times, Step::close_files);
  // Before Landlock. The directory is already open, so entering it needs no Landlock right.
  require(command, Step::change_directory, kernel(__NR_fchdir, command.cwd));
  record_time(command.step_times, Step::change_directory);
  set_limits(command);
  if (command.exec->confine) {
    lock_privileges(command);  // needs CAP_SETPCAP, which the next line gives up
    give_up_capabilities(command);
    // Without no_new_privs an unprivileged process may install neither Landlock nor seccomp.
    give_up_new_privileges(command);
    enter_landlock(command);
    enter_seccomp(command);  // last: the filter may refuse what the steps above use
  }
  unblock_signals(command);
  execute(command);
}

}  // namespace bawn::init
