#include "linux/launch.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "base/text.h"
#include "linux/keeper/program.h"
#include "linux/keeper_image.h"
#include "linux/landlock_ruleset.h"
#include "linux/path_lookup.h"
#include "linux/program_text.h"
#include "sys/call.h"
#include "sys/write_signals.h"

namespace bawn {
namespace {

constexpr unsigned kMfdExec =
    0x10;  // Linux 6.3; older kernels have every memfd executable and refuse the flag

Result<void> write_all(int fd, const void* bytes, std::size_t size) {
  const sys::WriteSignalBlock no_signals;  // a caller's file-size limit counts for memory files too
  const char* at = static_cast<const char*>(bytes);
  while (size != 0) {
    BAWN_ASSIGN(const ssize_t written, sys::checked("write to memfd", [&] { return write(fd, at, size); }));
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return {};
}

int memfd(const char* name, unsigned flags) { return memfd_create(name, MFD_CLOEXEC | flags); }

Result<Fd> make_image() {
  Fd image(memfd("bawn-keeper", kMfdExec));
  if (!image && errno == EINVAL) image = Fd(memfd("bawn-keeper", 0));
  if (!image) {
    const int reason = errno;
    Error error = system_error(reason, "memfd_create for the keeper");
    if (reason == EACCES) error.message += " (sysctl vm.memfd_noexec is 2; it must be 0 or 1)";
    return error;
  }
  BAWN_TRY(write_all(image.get(), keeper_image().data(), keeper_image().size()));
  return image;
}

Result<Fd> make_program(const std::string& text) {
  Fd program(memfd("bawn-program", 0));
  if (!program) return system_error(errno, "memfd_create for the program");
  BAWN_TRY(write_all(program.get(), text.data(), text.size()));
  return program;
}

// The child puts these two on 0 and 1, so they must not be there already.
Result<Fd> above_stdio(Fd fd) {
  if (fd.get() > 2) return fd;
  BAWN_ASSIGN(const int moved,
              sys::checked("fcntl(F_DUPFD)", [&] { return fcntl(fd.get(), F_DUPFD_CLOEXEC, 3); }));
  return Fd(moved);
}

struct Ends {
  Fd ours;
  Fd keepers;
};

Result<Ends> make_control() {
  std::array<int, 2> pair{-1, -1};
  BAWN_TRY(sys::checked("socketpair",
                        [&] { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data()); }));
  Fd ours(pair[0]);
  BAWN_ASSIGN(Fd keepers, above_stdio(Fd(pair[1])));
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

bool may_set_capabilities() {
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  return syscall(SYS_capget, &header, sets.data()) == 0 && (sets[0].effective & 1U << CAP_SETPCAP) != 0;
}

// All signals are held back while the child shares our memory: a handler of the caller's must not run in it.
class SignalsHeld {
 public:
  SignalsHeld() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~SignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;

 private:
  sigset_t before_{};
};

struct KeeperStart {
  int control;
  int image;
  int error;
};

// Runs in the child, on its own stack, in our memory: system calls only.
int exec_keeper(void* argument) {
  auto* start = static_cast<KeeperStart*>(argument);
  const char* argv[] = {"bawn-keeper", nullptr};
  const char* envp[] = {nullptr};
  const bool placed = syscall(SYS_dup3, start->control, 0, 0) == 0 &&
                      syscall(SYS_dup3, start->image, 1, O_CLOEXEC) == 1 &&
                      syscall(SYS_close_range, 2, ~0U, 0) == 0;
  if (placed) syscall(SYS_execveat, 1, "", argv, envp, AT_EMPTY_PATH);
  start->error = errno;
  syscall(SYS_exit_group, 127);
  return 127;
}

Result<Fd> clone_keeper(int control, int image) {
  constexpr std::size_t kStackBytes = 64 * 1024;
  const auto stack = std::make_unique<std::byte[]>(kStackBytes);
  KeeperStart start = {control, image, 0};
  int pidfd = -1;
  int result = -1;
  int reason = 0;
  {
    const SignalsHeld held;
    const auto top = reinterpret_cast<std::uintptr_t>(stack.get() + kStackBytes) & ~std::uintptr_t{15};
    result = clone(exec_keeper, reinterpret_cast<void*>(top), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD,
                   &start, &pidfd);
    reason = errno;
  }
  if (result == -1) return system_error(reason, "clone");
  Fd keeper(pidfd);
  if (start.error != 0) {
    reap_keeper(keeper.get());
    return system_error(start.error, "exec of the keeper");
  }
  return keeper;
}

}  // namespace

Result<Launched> launch(const Plan& plan, const HostFacts& host, const Stdio& stdio) {
  ProgramFacts facts{.parent_pid = getpid(), .may_drop_bounding_set = may_set_capabilities()};
  LandlockRuleset ruleset;
  if (plan.tier != Tier::unconfined) {
    BAWN_ASSIGN(ruleset, make_landlock_ruleset(plan, host.landlock_abi));
    facts.private_access = ruleset.all_access;
  }
  BAWN_ASSIGN(const Fd program, make_program(program_text(plan, facts)));
  BAWN_ASSIGN(Fd unplaced_image, make_image());
  BAWN_ASSIGN(const Fd image, above_stdio(std::move(unplaced_image)));
  BAWN_ASSIGN(Ends control, make_control());

  std::vector<int> files = {program.get(), stdio.in, stdio.out, stdio.err, fd_of(plan.program.file)};
  files.push_back(plan.private_workspace ? fd_of(plan.private_parent) : fd_of(plan.cwd));
  if (ruleset.fd) files.push_back(ruleset.fd.get());
  if (!plan.private_name.empty()) files.push_back(fd_of(plan.private_parent));
  BAWN_TRY(send_files(control.ours.get(), files));
  BAWN_ASSIGN(Fd keeper, clone_keeper(control.keepers.get(), image.get()));
  return Launched{std::move(control.ours), std::move(keeper)};
}

void reap_keeper(int keeper_pidfd) {
  siginfo_t ignored{};
  waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(keeper_pidfd), &ignored, WEXITED | WNOHANG);
}

}  // namespace bawn
