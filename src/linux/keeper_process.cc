#include "linux/keeper_process.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "linux/keeper_image_file.h"
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
  BAWN_ASSIGN(Fd keepers, sys::above_stdio(Fd(pair[1])));  // the child puts it on 0, so it must not be there
  return Ends{std::move(ours), std::move(keepers)};
}

struct KeeperStart {
  int control;
  int image;
  KeeperPlace place;
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
  const char* own_network = start->place == KeeperPlace::closed_yard ? "network" : nullptr;
  const char* argv[] = {"bawn-keeper", own_network, nullptr};
  const char* envp[] = {nullptr};
  const bool placed = (start->place == KeeperPlace::host || keep_capabilities()) &&
                      syscall(SYS_dup3, start->control, 0, 0) == 0 &&
                      syscall(SYS_dup3, start->image, 1, O_CLOEXEC) == 1 &&
                      syscall(SYS_close_range, 2, ~0U, 0) == 0;
  if (placed) syscall(SYS_execveat, 1, "", argv, envp, AT_EMPTY_PATH);
  start->error = errno;
  syscall(SYS_exit_group, 127);
  return 127;
}

// The cgroup namespace comes later, with the command; a network is made by the keeper itself, beside its other work.
int namespaces_of(KeeperPlace place) {
  if (place == KeeperPlace::host) return 0;
  return CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
}

}  // namespace

Result<KeeperProcess> KeeperProcess::start(KeeperPlace place) {
  BAWN_ASSIGN(Fd unplaced_image, make_keeper_image());
  BAWN_ASSIGN(const Fd image, sys::above_stdio(std::move(unplaced_image)));
  BAWN_ASSIGN(Ends control, make_control());
  const int namespaces = namespaces_of(place);
  KeeperStart start = {control.keepers.get(), image.get(), place, 0};
  constexpr std::size_t kStackBytes = 16 * 1024;
  const auto stack = std::make_unique_for_overwrite<std::byte[]>(kStackBytes);
  const auto top = reinterpret_cast<std::uintptr_t>(stack.get() + kStackBytes) & ~std::uintptr_t{15};
  int pidfd = -1;
  int result = -1;
  int reason = 0;
  {
    const SignalsHeld held;
    result = clone(exec_keeper, reinterpret_cast<void*>(top),
                   CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD | namespaces, &start, &pidfd);
    reason = errno;
  }
  if (result == -1) {
    if (namespaces == 0) return system_error(reason, "clone");
    return unsupported_error(system_error(reason, "clone with new namespaces").message);
  }
  KeeperProcess keeper(std::move(control.ours), Fd(pidfd), result);
  if (start.error != 0) return system_error(start.error, "exec of the keeper");
  return keeper;
}

KeeperProcess::~KeeperProcess() {
  if (!handle_) return;
  siginfo_t ignored{};
  syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
  sys::retried([&] {
    return waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(handle_.get()), &ignored, WEXITED);
  });
}

}  // namespace bawn
