#include "linux/init/command.h"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <sys/resource.h>

#include "linux/init/kernel.h"
#include "linux/init/namespaces.h"
#include "linux/init/nested_proc.h"
#include "linux/init/privileges.h"
#include "linux/init/step_times.h"
#include "linux/init/terminal.h"

namespace bawn::init {
namespace {

constexpr unsigned kCharacterDevice = 0020000;
constexpr unsigned kCloseRangeCloexec = 4;

// Ends the child with the step's name if the kernel refused it.
long require(const Command& command, Step step, long result, int index = 0) {
  if (result >= 0) return result;
  command.report->step = step;
  command.report->error = static_cast<std::int32_t>(-result);
  command.report->index = index;
  leave(1);
}

// For what the kernel accepted but does not show when asked: as bad as a refusal.
void require_that(const Command& command, Step step, bool holds) {
  if (!holds) require(command, step, kEperm);
}

// There is a pid namespace for this process and what it starts, which was made with it.
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

// In a private terminal the command is what a shell would make of it: a process group in the
// session of its parent.
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

// A session leader's new terminal begins with its group in the foreground.
void lead_terminal(const Command& command) {
  start_session(command);
  require(command, Step::join_terminal, take_control(command.terminal));
  command.report->readback.terminal = 1;
  require_that(command, Step::join_terminal,
               foreground_of(command.terminal) == kernel(__NR_getpid));
  record_time(command.step_times, Step::join_terminal);
}

// The cgroup is new and nobody else knows it, so its list is this process alone.
bool is_alone_in(int entrance) {
  char list[sizeof(Decimal)] = {};
  const Decimal own(static_cast<std::uint64_t>(kernel(__NR_getpid)));
  const long got = kernel(__NR_pread64, entrance, list, sizeof list, 0);
  long at = 0;
  while (at < got && own.text[at] != 0 && list[at] == own.text[at]) ++at;
  return got == at + 1 && own.text[at] == 0 && list[at] == '\n';
}

// The files were opened by bawn, and it is bawn's rights that the kernel asks for.
void enter_cgroup(const Command& command) {
  Readback& readback = command.report->readback;
  for (std::uint32_t slot = slot_entrance; slot <= slot_entrance_3; ++slot) {
    const int entrance = command.files[slot];
    if (entrance < 0) continue;
    if (!readback.cloned_into_cgroup) {
      require(command, Step::enter_cgroup, kernel(__NR_write, entrance, "0", 1),
              readback.cgroups_entered);
    }
    // No word about the host: another process has come in.
    require(command, Step::enter_cgroup, is_alone_in(entrance) ? 0 : kEsrch);
    ++readback.cgroups_entered;
  }
  if (readback.cgroups_entered == 0) return;
  if (command.setup != nullptr) {
    require(command, Step::enter_cgroup, kernel(__NR_unshare, CLONE_NEWCGROUP));
  }
  record_time(command.step_times, Step::enter_cgroup);
}

// Init did not enter this one, so it could not say. Without a /proc nobody can.
void read_cgroup_namespace(const Command& command) {
  if (command.setup == nullptr || command.report->readback.fresh_proc != 1) return;
  std::uint64_t& inode = command.report->readback.namespaces[kCgroupNamespace];
  require(command, Step::clone_command, read_namespace(AT_FDCWD, "/proc/self/ns/cgroup", inode));
  require_that(command, Step::clone_command,
               inode != command.exec->outer_namespaces[kCgroupNamespace]);
}

void die_with_init(const Command& command) {
  require(command, Step::die_with_init, kernel(__NR_prctl, PR_SET_PDEATHSIG, kKillSignal, 0, 0, 0));
  // Init may have died before the line above. To process 1 of a namespace below it has no number,
  // dead or alive; but then it was process 1 of the one around that, and everything in it has ended
  // with it.
  require_that(command, Step::die_with_init, kernel(__NR_getppid) == command.init);
  record_time(command.step_times, Step::die_with_init);
}

// The call answers with the mask before it, so the second one reads the first one back.
void reset_umask(const Command& command) {
  constexpr long kMask = 022;
  require(command, Step::reset_umask, kernel(__NR_umask, kMask));
  require_that(command, Step::reset_umask, kernel(__NR_umask, kMask) == kMask);
  record_time(command.step_times, Step::reset_umask);
}

// A number that is no personality asks for the present one.
void reset_personality(const Command& command) {
  constexpr unsigned kAsk = 0xffffffff;
  require(command, Step::reset_personality, kernel(__NR_personality, 0));
  require_that(command, Step::reset_personality, kernel(__NR_personality, kAsk) == 0);
  record_time(command.step_times, Step::reset_personality);
}

// A kernel without keyrings, or a container whose filter forbids keyctl to us and so to the command
// too, leaves nothing to inherit. Anything else must work.
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

// Started as root, the command keeps its uid; without these two it would get every capability back
// at exec. In namespaces the set is init's, who has emptied it.
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

// Nothing grants reading "/" itself unless the policy did. In a root of our own everything may be
// read; there a device node is tried, which Landlock refuses with EACCES before the kernel misses
// the capability for it.
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

// Landlock cannot be asked what it enforces, so it is tried.
void enter_landlock(const Command& command) {
  if (command.files[slot_landlock] < 0) return;
  require(command, Step::landlock,
          kernel(__NR_landlock_restrict_self, command.files[slot_landlock], 0));
  require_that(command, Step::landlock, landlock_holds(command));
  record_time(command.step_times, Step::landlock);
}

void enter_seccomp(const Command& command) {
  const ExecMessage& exec = *command.exec;
  auto* filter =
      reinterpret_cast<sock_filter*>(reinterpret_cast<std::uintptr_t>(&exec) + exec.filter);
  const sock_fprog fprog = {.len = static_cast<unsigned short>(exec.filter_length),
                            .filter = filter};
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
  const auto base = reinterpret_cast<std::uintptr_t>(command.exec);
  command.report->step = Step::none;
  command.report->error = 0;
  require(command, Step::execute,
          kernel(__NR_execveat, command.files[slot_executable], "",
                 reinterpret_cast<char**>(base + command.exec->argv),
                 reinterpret_cast<char**>(base + command.exec->envp), AT_EMPTY_PATH));
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
  // Before Landlock: the working directory is opened already and needs no right to be entered.
  require(command, Step::change_directory, kernel(__NR_fchdir, command.cwd));
  record_time(command.step_times, Step::change_directory);
  set_limits(command);
  if (command.exec->confine) {
    lock_privileges(command);  // needs CAP_SETPCAP, which the next line gives up
    give_up_capabilities(command);
    give_up_new_privileges(
        command);  // the two below are refused to an unprivileged process without it
    enter_landlock(command);
    enter_seccomp(command);  // last: the filter may refuse what the steps above use
  }
  unblock_signals(command);
  execute(command);
}

}  // namespace bawn::init
