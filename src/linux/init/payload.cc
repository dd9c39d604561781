#include "linux/init/payload.h"

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
#include "linux/init/own_proc.h"
#include "linux/init/privileges.h"
#include "linux/init/stamp.h"
#include "linux/init/terminal.h"

namespace bawn::init {
namespace {

constexpr unsigned kCharacterDevice = 0020000;
constexpr unsigned kCloseRangeCloexec = 4;

// Ends the child with the step's name if the kernel refused it.
long require(const Payload& payload, Step step, long result, int index = 0) {
  if (result >= 0) return result;
  payload.report->step = step;
  payload.report->error = static_cast<std::int32_t>(-result);
  payload.report->index = index;
  leave(1);
}

// For what the kernel accepted but does not show when asked: as bad as a refusal.
void require_that(const Payload& payload, Step step, bool holds) {
  if (!holds) require(payload, step, kEperm);
}

// There is a pid namespace for this process and what it starts, which was made with it.
void be_process_1(const Payload& payload) {
  if (payload.setup == nullptr || !payload.setup->as_pid_1) return;
  Readback& readback = payload.report->readback;
  readback.is_pid_1 = kernel(__NR_getpid) == 1;
  require_that(payload, Step::own_pid_namespace, readback.is_pid_1);
  stamp(payload.stamps, Step::own_pid_namespace);
  std::int32_t op = 0;
  const long exchanged = exchange_proc(*payload.setup, *payload.exec, readback, op);
  require(payload, Step::own_proc, exchanged, op);
  stamp(payload.stamps, Step::own_proc);
}

void start_session(const Payload& payload) {
  const long session = require(payload, Step::new_session, kernel(__NR_setsid));
  payload.report->readback.session_is_own = session == kernel(__NR_getpid) ? 1 : 0;
  require_that(payload, Step::new_session, payload.report->readback.session_is_own == 1);
  stamp(payload.stamps, Step::new_session);
}

// In a private terminal the command is what a shell would make of it: a process group in the session of its parent.
void join_terminal(const Payload& payload) {
  const auto self = static_cast<std::int32_t>(kernel(__NR_getpid));
  const bool foreground = payload.exec->terminal.foreground;
  require(payload, Step::join_terminal, kernel(__NR_setpgid, 0, 0));
  if (foreground) require(payload, Step::join_terminal, set_foreground(payload.terminal, self));
  const long session = kernel(__NR_getsid, 0);
  Readback& readback = payload.report->readback;
  readback.session_is_own = session == payload.init ? 1 : 0;
  readback.terminal = session == session_of(payload.terminal) ? 1 : 0;
  require_that(payload, Step::join_terminal, readback.session_is_own == 1 && readback.terminal == 1);
  require_that(payload, Step::join_terminal, (foreground_of(payload.terminal) == self) == foreground);
  stamp(payload.stamps, Step::join_terminal);
}

// A session leader's new terminal begins with its group in the foreground.
void lead_terminal(const Payload& payload) {
  start_session(payload);
  require(payload, Step::join_terminal, take_control(payload.terminal));
  payload.report->readback.terminal = 1;
  require_that(payload, Step::join_terminal, foreground_of(payload.terminal) == kernel(__NR_getpid));
  stamp(payload.stamps, Step::join_terminal);
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
void enter_cgroup(const Payload& payload) {
  Readback& readback = payload.report->readback;
  for (std::uint32_t slot = slot_entrance; slot <= slot_entrance_3; ++slot) {
    const int entrance = payload.files[slot];
    if (entrance < 0) continue;
    if (!readback.born_in_cgroup) {
      require(payload, Step::enter_cgroup, kernel(__NR_write, entrance, "0", 1), readback.cgroups_entered);
    }
    // No word about the host: another process has come in.
    require(payload, Step::enter_cgroup, is_alone_in(entrance) ? 0 : kEsrch);
    ++readback.cgroups_entered;
  }
  if (readback.cgroups_entered == 0) return;
  if (payload.setup != nullptr) {
    require(payload, Step::enter_cgroup, kernel(__NR_unshare, CLONE_NEWCGROUP));
  }
  stamp(payload.stamps, Step::enter_cgroup);
}

// Init did not enter this one, so it could not say. Without a /proc nobody can.
void read_cgroup_namespace(const Payload& payload) {
  if (payload.setup == nullptr || payload.report->readback.fresh_proc != 1) return;
  std::uint64_t& inode = payload.report->readback.namespaces[kCgroupNamespace];
  require(payload, Step::clone_payload, read_namespace(AT_FDCWD, "/proc/self/ns/cgroup", inode));
  require_that(payload, Step::clone_payload, inode != payload.exec->outer_namespaces[kCgroupNamespace]);
}

void die_with_init(const Payload& payload) {
  require(payload, Step::die_with_init, kernel(__NR_prctl, PR_SET_PDEATHSIG, kKillSignal, 0, 0, 0));
  // Init may have died before the line above. To process 1 of a namespace below it has no number, dead or alive; but
  // then it was process 1 of the one around that, and everything in it has ended with it.
  require_that(payload, Step::die_with_init, kernel(__NR_getppid) == payload.init);
  stamp(payload.stamps, Step::die_with_init);
}

// The call answers with the mask before it, so the second one reads the first one back.
void reset_umask(const Payload& payload) {
  constexpr long kMask = 022;
  require(payload, Step::reset_umask, kernel(__NR_umask, kMask));
  require_that(payload, Step::reset_umask, kernel(__NR_umask, kMask) == kMask);
  stamp(payload.stamps, Step::reset_umask);
}

// A number that is no personality asks for the present one.
void reset_personality(const Payload& payload) {
  constexpr unsigned kAsk = 0xffffffff;
  require(payload, Step::reset_personality, kernel(__NR_personality, 0));
  require_that(payload, Step::reset_personality, kernel(__NR_personality, kAsk) == 0);
  stamp(payload.stamps, Step::reset_personality);
}

// A kernel without keyrings, or a container whose filter forbids keyctl to us and so to the command too, leaves nothing
// to inherit. Anything else must work.
void join_new_keyring(const Payload& payload) {
  const long serial = kernel(__NR_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr);
  payload.report->readback.keyring = static_cast<std::int32_t>(serial);
  if (serial == kEnosys) return;
  if (serial == kEperm && kernel(__NR_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 0) == kEperm)
    return;
  require(payload, Step::new_keyring, serial);
}

void connect_stdio(const Payload& payload) {
  for (int fd = 0; fd < 3; ++fd) {
    require(payload, Step::connect_stdio,
            kernel(__NR_dup3, payload.files[slot_stdin + static_cast<std::uint32_t>(fd)], fd, 0), fd);
  }
  stamp(payload.stamps, Step::connect_stdio);
}

void set_limits(const Payload& payload) {
  for (std::uint32_t i = 0; i < payload.exec->rlimit_count; ++i) {
    const Rlimit& wanted = payload.exec->rlimits[i];
    const struct rlimit64 value = {wanted.value, wanted.value};
    struct rlimit64 now = {};
    require(payload, Step::limits, kernel(__NR_prlimit64, 0, wanted.resource, &value, nullptr),
            static_cast<int>(i));
    require(payload, Step::limits, kernel(__NR_prlimit64, 0, wanted.resource, nullptr, &now),
            static_cast<int>(i));
    payload.report->readback.rlimits[i] = now.rlim_max;
    require_that(payload, Step::limits, now.rlim_cur == wanted.value && now.rlim_max == wanted.value);
  }
  stamp(payload.stamps, Step::limits);
}

// Started as root, the command keeps its uid; without these two it would get every capability back at exec. In namespaces
// the set is init's, who has emptied it.
void lock_privileges(const Payload& payload) {
  const bool drops = payload.exec->drop_bounding_set;
  if (drops) {
    constexpr unsigned kLocked = SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
                                 SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
                                 SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
    require(payload, Step::bounding_set, kernel(__NR_prctl, PR_SET_SECUREBITS, kLocked, 0, 0, 0));
    require_that(payload, Step::bounding_set, kernel(__NR_prctl, PR_GET_SECUREBITS, 0, 0, 0, 0) == kLocked);
    if (payload.setup == nullptr) require(payload, Step::bounding_set, empty_bounding_set());
  }
  payload.report->readback.bounding = bounding_set();
  require_that(payload, Step::bounding_set, !drops || payload.report->readback.bounding == 0);
  if (drops) stamp(payload.stamps, Step::bounding_set);
}

void give_up_capabilities(const Payload& payload) {
  require(payload, Step::capabilities, kernel(__NR_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0));
  require(payload, Step::capabilities, drop_capabilities(payload.report->readback.capabilities));
  require_that(payload, Step::capabilities, payload.report->readback.capabilities == 0);
  stamp(payload.stamps, Step::capabilities);
}

void give_up_new_privileges(const Payload& payload) {
  require(payload, Step::no_new_privs, kernel(__NR_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
  payload.report->readback.no_new_privs =
      static_cast<std::int32_t>(kernel(__NR_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
  require_that(payload, Step::no_new_privs, payload.report->readback.no_new_privs == 1);
  stamp(payload.stamps, Step::no_new_privs);
}

// Nothing grants reading "/" itself unless the policy did. In a root of our own everything may be read; there a device node
// is tried, which Landlock refuses with EACCES before the kernel misses the capability for it.
bool landlock_holds(const Payload& payload) {
  std::int32_t& probe = payload.report->readback.landlock_probe;
  if (payload.setup != nullptr) {
    probe = static_cast<std::int32_t>(
        -kernel(__NR_mknodat, AT_FDCWD, "/dev/shm/landlock", kCharacterDevice, 0x103));
    return probe == -kEacces;
  }
  const long opened = kernel(__NR_openat, AT_FDCWD, "/", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  probe = opened < 0 ? static_cast<std::int32_t>(-opened) : 0;
  if (opened >= 0) kernel(__NR_close, opened);
  return opened < 0 || payload.exec->root_is_granted;
}

// Landlock cannot be asked what it enforces, so it is tried.
void enter_landlock(const Payload& payload) {
  if (payload.files[slot_landlock] < 0) return;
  require(payload, Step::landlock, kernel(__NR_landlock_restrict_self, payload.files[slot_landlock], 0));
  require_that(payload, Step::landlock, landlock_holds(payload));
  stamp(payload.stamps, Step::landlock);
}

void enter_seccomp(const Payload& payload) {
  const ExecMessage& exec = *payload.exec;
  auto* filter = reinterpret_cast<sock_filter*>(reinterpret_cast<std::uintptr_t>(&exec) + exec.filter);
  const sock_fprog fprog = {.len = static_cast<unsigned short>(exec.filter_length), .filter = filter};
  require(payload, Step::seccomp, kernel(__NR_seccomp, SECCOMP_SET_MODE_FILTER, 0, &fprog));
  payload.report->readback.seccomp_mode =
      static_cast<std::int32_t>(kernel(__NR_prctl, PR_GET_SECCOMP, 0, 0, 0, 0));
  require_that(payload, Step::seccomp, payload.report->readback.seccomp_mode == SECCOMP_MODE_FILTER);
  stamp(payload.stamps, Step::seccomp);
}

void unblock_signals(const Payload& payload) {
  constexpr int kSetMask = 2;
  const std::uint64_t none = 0;
  require(payload, Step::execute, kernel(__NR_rt_sigprocmask, kSetMask, &none, nullptr, sizeof none));
}

[[noreturn]] void execute(const Payload& payload) {
  const auto base = reinterpret_cast<std::uintptr_t>(payload.exec);
  payload.report->step = Step::none;
  payload.report->error = 0;
  require(payload, Step::execute,
          kernel(__NR_execveat, payload.files[slot_executable], "",
                 reinterpret_cast<char**>(base + payload.exec->argv),
                 reinterpret_cast<char**>(base + payload.exec->envp), AT_EMPTY_PATH));
  leave(1);
}

}  // namespace

void become_payload(const Payload& payload) {
  stamp(payload.stamps, Step::clone_payload);
  be_process_1(payload);
  enter_cgroup(payload);
  read_cgroup_namespace(payload);
  if (payload.terminal < 0) {
    start_session(payload);
  } else if (payload.exec->terminal.led_by_command) {
    lead_terminal(payload);
  } else {
    join_terminal(payload);
  }
  die_with_init(payload);
  reset_umask(payload);
  reset_personality(payload);
  join_new_keyring(payload);
  stamp(payload.stamps, Step::new_keyring);
  connect_stdio(payload);
  require(payload, Step::close_files, kernel(__NR_close_range, 3, ~0U, kCloseRangeCloexec));
  stamp(payload.stamps, Step::close_files);
  // Before Landlock: the working directory is opened already and needs no right to be entered.
  require(payload, Step::change_directory, kernel(__NR_fchdir, payload.cwd));
  stamp(payload.stamps, Step::change_directory);
  set_limits(payload);
  if (payload.exec->confine) {
    lock_privileges(payload);  // needs CAP_SETPCAP, which the next line gives up
    give_up_capabilities(payload);
    give_up_new_privileges(payload);  // the two below are refused to an unprivileged process without it
    enter_landlock(payload);
    enter_seccomp(payload);  // last: the filter may refuse what the steps above use
  }
  unblock_signals(payload);
  execute(payload);
}

}  // namespace bawn::init
