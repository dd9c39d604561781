#include "linux/launch.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "base/text.h"
#include "linux/id_map.h"
#include "linux/keeper/program.h"
#include "linux/keeper_image.h"
#include "linux/landlock_ruleset.h"
#include "linux/memory_file.h"
#include "linux/path_lookup.h"
#include "linux/program_text.h"
#include "linux/signals_held.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn {
namespace {

struct Ends {
  Fd ours;
  Fd keepers;
};

Result<Ends> make_control() {
  std::array<int, 2> pair{-1, -1};
  BAWN_TRY(sys::checked("socketpair",
                        [&] { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()); }));
  Fd ours(pair[0]);
  // The child puts this and the image on 0 and 1, so they must not be there already.
  BAWN_ASSIGN(Fd keepers, sys::above_stdio(Fd(pair[1])));
  return Ends{std::move(ours), std::move(keepers)};
}

Result<void> send_files(int control, const std::vector<int>& files) {
  char byte = 0;
  iovec text = {&byte, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int) * keeper::slot_count)> space{};
  msghdr message{};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = space.data();
  message.msg_controllen = CMSG_SPACE(sizeof(int) * files.size());
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int) * files.size());
  std::memcpy(CMSG_DATA(header), files.data(), sizeof(int) * files.size());
  const auto sent = sys::checked("sendmsg", [&] { return sendmsg(control, &message, MSG_NOSIGNAL); });
  if (!sent) return sent.error();
  return {};
}

// The files for the keeper with their slots, in the order in which it expects them.
class SlottedFiles {
 public:
  void add(keeper::Slot slot, int fd) {
    files_.push_back(fd);
    slots_ |= 1U << slot;
  }
  [[nodiscard]] std::uint32_t slots() const { return slots_; }
  [[nodiscard]] const std::vector<int>& files() const { return files_; }

 private:
  std::vector<int> files_;
  std::uint32_t slots_ = 0;
};

void add_stdio(SlottedFiles& files, const Stdio& stdio) {
  const auto add = [&](keeper::Slot slot, int fd) {
    const bool terminal = (stdio.terminal.stdio & 1U << (slot - keeper::slot_stdin)) != 0;
    if (!terminal) files.add(slot, fd);
  };
  add(keeper::slot_stdin, stdio.in);
  add(keeper::slot_stdout, stdio.out);
  add(keeper::slot_stderr, stdio.err);
}

// v2 is one directory to be born in; where that is refused, and in v1, the command enters through each entrance.
void add_cgroup(SlottedFiles& files, const RunCgroup& cgroup) {
  if (cgroup.version == CgroupVersion::v2)
    files.add(keeper::slot_cgroup, cgroup.directories.front().directory());
  std::uint32_t slot = keeper::slot_entrance;
  for (const Fd& entrance : cgroup.entrances) files.add(static_cast<keeper::Slot>(slot++), entrance.get());
}

bool may_set_capabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  return syscall(SYS_capget, &header, sets.data()) == 0 && (sets[0].effective & 1U << CAP_SETPCAP) != 0;
}

struct KeeperStart {
  int control;
  int image;
  bool in_namespaces;
  int error;
};

// A new user namespace gives every capability, and exec takes them away again from all but its root. These are kept: to
// mount, to bring up the loopback, to become another user, and to give all of them up for good.
bool keep_capabilities() {
  constexpr std::array kKept = {CAP_SYS_ADMIN, CAP_NET_ADMIN, CAP_SETUID, CAP_SETGID, CAP_SETPCAP};
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  for (const int capability : kKept) sets[0].inheritable |= 1U << capability;
  sets[0].permitted = sets[0].effective = sets[0].inheritable;
  if (syscall(SYS_capset, &header, sets.data()) != 0) return false;
  for (const int capability : kKept) {
    if (syscall(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0) != 0) return false;
  }
  return true;
}

// Runs in the child, on its own stack, in our memory: system calls only.
int exec_keeper(void* argument) {
  auto* start = static_cast<KeeperStart*>(argument);
  const char* argv[] = {"bawn-keeper", nullptr};
  const char* envp[] = {nullptr};
  const bool placed =
      (!start->in_namespaces || keep_capabilities()) && syscall(SYS_dup3, start->control, 0, 0) == 0 &&
      syscall(SYS_dup3, start->image, 1, O_CLOEXEC) == 1 && syscall(SYS_close_range, 2, ~0U, 0) == 0;
  if (placed) syscall(SYS_execveat, 1, "", argv, envp, AT_EMPTY_PATH);
  start->error = errno;
  syscall(SYS_exit_group, 127);
  return 127;
}

// A keeper that nobody supervises yet. One that is not handed on is ended and waited for, or every launch that fails would
// leave a zombie to a caller that never looks.
class KeeperProcess {
 public:
  KeeperProcess(Fd handle, pid_t pid) : handle_(std::move(handle)), pid_(pid) {}
  KeeperProcess(KeeperProcess&&) = default;
  KeeperProcess& operator=(KeeperProcess&&) = delete;
  KeeperProcess(const KeeperProcess&) = delete;
  KeeperProcess& operator=(const KeeperProcess&) = delete;
  ~KeeperProcess() {
    if (!handle_) return;
    siginfo_t ignored{};
    syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
    sys::retried([&] {
      return waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(handle_.get()), &ignored, WEXITED);
    });
  }

  [[nodiscard]] pid_t pid() const { return pid_; }
  Fd hand_on() && { return std::move(handle_); }

 private:
  Fd handle_;  // pidfd
  pid_t pid_;
};

// The cgroup namespace comes later, with the command.
int namespaces_of(const Plan& plan) {
  if (plan.tier != Tier::c) return 0;
  return CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS |
         (plan.refuse_network ? CLONE_NEWNET : 0);
}

Result<KeeperProcess> clone_keeper(int control, int image, int namespaces) {
  constexpr std::size_t kStackBytes = 64 * 1024;
  const auto stack = std::make_unique<std::byte[]>(kStackBytes);
  KeeperStart start = {control, image, namespaces != 0, 0};
  int pidfd = -1;
  int result = -1;
  int reason = 0;
  {
    const SignalsHeld held;
    const auto top = reinterpret_cast<std::uintptr_t>(stack.get() + kStackBytes) & ~std::uintptr_t{15};
    result = clone(exec_keeper, reinterpret_cast<void*>(top),
                   CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | namespaces, &start, &pidfd);
    reason = errno;
  }
  if (result == -1) {
    if (namespaces == 0) return system_error(reason, "clone");
    return unsupported_error(system_error(reason, "clone with new namespaces").message);
  }
  KeeperProcess keeper(Fd(pidfd), result);
  if (start.error != 0) return system_error(start.error, "exec of the keeper");
  return keeper;
}

// The keeper compares its namespaces with the caller's; against a blank every one of them would look new.
Result<void> require_known_namespaces(const HostFacts& host) {
  for (std::size_t i = 0; i < host.namespaces.size(); ++i) {
    if (host.namespaces[i] == 0)
      return unsupported_error(
          concat("/proc/self/ns/", kNamespaceNames[i], " cannot be read; is /proc mounted?"));
  }
  return {};
}

// Nobody but its maker can say who a user namespace's users are; the keeper waits for its program until that is done.
Result<void> map_users(const KeeperProcess& keeper, const RunUser& user) {
  const auto mapped = write_id_maps(keeper.pid(), {user.uid, user.host_uid}, {user.gid, user.host_gid});
  if (mapped) return {};
  return unsupported_error(mapped.error().message);
}

// Below a directory the command would find the host: what mount namespace it is in does not matter to an open file.
Result<void> refuse_directories(const Stdio& stdio) {
  constexpr std::array kNames = {"stdin", "stdout", "stderr"};
  const std::array files = {stdio.in, stdio.out, stdio.err};
  for (std::size_t i = 0; i < files.size(); ++i) {
    struct stat found {};
    BAWN_TRY(sys::checked(concat("fstat of ", kNames[i]), [&] { return fstat(files[i], &found); }));
    if (S_ISDIR(found.st_mode)) {
      return system_error(EISDIR, concat(kNames[i],
                                         " is a directory, through which the command would reach "
                                         "outside its sandbox; it must be a file, pipe or terminal"));
    }
  }
  return {};
}

}  // namespace

Result<Launched> launch(const Plan& plan, const RunFilter& filter, const HostFacts& host, const Stdio& stdio,
                        const RunCgroup* cgroup, Stopwatch& stopwatch) {
  LandlockRuleset ruleset;
  if (plan.tier != Tier::unconfined) {
    BAWN_TRY(refuse_directories(stdio));
    BAWN_ASSIGN(ruleset, make_landlock_ruleset(plan, host.landlock_abi));
    stopwatch.lap("ruleset");
  }
  if (plan.tier == Tier::c) BAWN_TRY(require_known_namespaces(host));
  // By this the keeper sees the end of this process, from any namespace and whatever becomes of its pid.
  BAWN_ASSIGN(const Fd self, sys::open_own_process());
  BAWN_ASSIGN(const Fd program, make_memory_file("bawn-program"));
  SlottedFiles files;
  files.add(keeper::slot_program, program.get());
  files.add(keeper::slot_parent, self.get());
  add_stdio(files, stdio);
  if (plan.tier != Tier::c) {
    files.add(keeper::slot_executable, fd_of(plan.program.file));
    if (!plan.private_workspace) files.add(keeper::slot_cwd, fd_of(plan.cwd));
  }
  if (cgroup != nullptr) add_cgroup(files, *cgroup);
  if (ruleset.fd) files.add(keeper::slot_landlock, ruleset.fd.get());
  if (!plan.private_name.empty()) files.add(keeper::slot_private_parent, fd_of(plan.private_parent));
  if (cgroup != nullptr && cgroup->kill) files.add(keeper::slot_cgroup_kill, cgroup->kill.get());

  const std::string text = program_text(plan, {.slots = files.slots(),
                                               .may_drop_bounding_set = may_set_capabilities(),
                                               .filter = filter.code(),
                                               .rights = ruleset.rights,
                                               .namespaces = host.namespaces,
                                               .caller_uid = host.uid,
                                               .caller_gid = host.gid,
                                               .terminal = stdio.terminal,
                                               .timing = stopwatch.running()});
  BAWN_TRY(write_memory_file(program.get(), text));
  stopwatch.lap("program_text");
  BAWN_ASSIGN(Fd unplaced_image, make_keeper_image());
  BAWN_ASSIGN(const Fd image, sys::above_stdio(std::move(unplaced_image)));
  BAWN_ASSIGN(Ends control, make_control());
  stopwatch.lap("keeper_image");
  BAWN_ASSIGN(KeeperProcess keeper, clone_keeper(control.keepers.get(), image.get(), namespaces_of(plan)));
  control.keepers.reset();
  stopwatch.lap("clone");
  if (plan.tier == Tier::c) {
    BAWN_TRY(map_users(keeper, plan.user));
    stopwatch.lap("id_maps");
  }
  BAWN_TRY(send_files(control.ours.get(), files.files()));
  return Launched{std::move(control.ours), std::move(keeper).hand_on(), plan.tier == Tier::c};
}

void reap_keeper(int keeper_pidfd) {
  siginfo_t ignored{};
  waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(keeper_pidfd), &ignored, WEXITED | WNOHANG);
}

}  // namespace bawn
