#include "linux/keeper_process.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "linux/keeper/kernel.h"
#include "linux/keeper_image_file.h"
#include "linux/signals_held.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn {
namespace {

using keeper::kernel;

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

// A new user namespace gives every capability, and exec takes them away again from all but its root. These are kept: to
// mount, to bring up the loopback, to become another user, and to give all of them up for good.
long keep_capabilities() {
  constexpr std::array kKept = {CAP_SYS_ADMIN, CAP_NET_ADMIN, CAP_SETUID, CAP_SETGID, CAP_SETPCAP};
  __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> sets{};
  for (const int capability : kKept) sets[0].inheritable |= 1U << capability;
  sets[0].permitted = sets[0].effective = sets[0].inheritable;
  if (const long error = kernel(SYS_capset, &header, sets.data()); error < 0) return error;
  for (const int capability : kKept) {
    const long raised = kernel(SYS_prctl, PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, capability, 0, 0);
    if (raised < 0) return raised;
  }
  return 0;
}

// Only returns if it has failed.
long exec_keeper(int control, int image, KeeperPlace place) {
  if (place != KeeperPlace::host) {
    if (const long error = keep_capabilities(); error < 0) return error;
  }
  if (const long error = kernel(SYS_dup3, control, 0, 0); error < 0) return error;
  if (const long error = kernel(SYS_dup3, image, 1, O_CLOEXEC); error < 0) return error;
  if (const long error = kernel(SYS_close_range, 2, ~0U, 0); error < 0) return error;
  const char* own_network = place == KeeperPlace::closed_yard ? "network" : nullptr;
  const char* argv[] = {"bawn-keeper", own_network, nullptr};
  const char* envp[] = {nullptr};
  return kernel(SYS_execveat, 1, "", argv, envp, AT_EMPTY_PATH);
}

// The cgroup namespace comes later, with the command; a network is made by the keeper itself, beside its other work.
int namespaces_of(KeeperPlace place) {
  if (place == KeeperPlace::host) return 0;
  return CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWUTS;
}

}  // namespace

class KeeperBirth {
 public:
  KeeperBirth(int control, int image, KeeperPlace place) : control_(control), image_(image), place_(place) {}
  ~KeeperBirth() { static_cast<void>(wait()); }
  KeeperBirth(const KeeperBirth&) = delete;
  KeeperBirth& operator=(const KeeperBirth&) = delete;

  // As clone.
  pid_t begin(int& pidfd) {
    pending_ = 1;
    auto* top = stack_.data() + stack_.size();
    const SignalsHeld held;
    const pid_t pid = clone([](void* self) { return static_cast<KeeperBirth*>(self)->run(); }, top,
                            CLONE_VM | CLONE_PIDFD | CLONE_CHILD_CLEARTID | SIGCHLD | namespaces_of(place_),
                            this, &pidfd, nullptr, &pending_);
    if (pid == -1) pending_ = 0;
    return pid;
  }

  // Until the process has left our memory, by exec or by its end. The errno for which there was no exec, or 0.
  [[nodiscard]] int wait() {
    for (;;) {
      const int pending = __atomic_load_n(&pending_, __ATOMIC_ACQUIRE);
      if (pending == 0) return error_;
      kernel(SYS_futex, &pending_, FUTEX_WAIT, pending, nullptr, nullptr, 0);
    }
  }

 private:
  // In the new process, on its own stack, beside our own threads: system calls only, and raw ones, since errno is ours.
  [[noreturn]] int run() {
    error_ = static_cast<int>(-exec_keeper(control_, image_, place_));
    keeper::leave(127);
  }

  int control_;
  int image_;
  KeeperPlace place_;
  int error_ = 0;
  int pending_ = 0;  // the kernel makes it 0 when the process has left
  alignas(16) std::array<std::byte, std::size_t{16} * 1024> stack_;
};

Result<KeeperProcess> KeeperProcess::start(KeeperPlace place) {
  BAWN_ASSIGN(Fd unplaced_image, make_keeper_image());
  BAWN_ASSIGN(const Fd image, sys::above_stdio(std::move(unplaced_image)));
  BAWN_ASSIGN(Ends control, make_control());
  KeeperProcess keeper;
  keeper.birth_ = std::make_unique<KeeperBirth>(control.keepers.get(), image.get(), place);
  int pidfd = -1;
  keeper.pid_ = keeper.birth_->begin(pidfd);
  if (keeper.pid_ == -1) {
    const int reason = errno;
    if (place == KeeperPlace::host) return system_error(reason, "clone");
    return unsupported_error(system_error(reason, "clone with new namespaces").message);
  }
  keeper.control_ = std::move(control.ours);
  keeper.handle_ = Fd(pidfd);
  return keeper;
}

Result<void> KeeperProcess::arrive() {
  const int error = birth_->wait();
  birth_.reset();
  if (error != 0) return system_error(error, "exec of the keeper");
  return {};
}

KeeperProcess::KeeperProcess() = default;
KeeperProcess::KeeperProcess(KeeperProcess&&) noexcept = default;

KeeperProcess::~KeeperProcess() {
  if (!handle_) return;
  siginfo_t ignored{};
  syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
  sys::retried([&] {
    return waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(handle_.get()), &ignored, WEXITED);
  });
}

}  // namespace bawn
