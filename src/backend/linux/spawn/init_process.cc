#include "backend/linux/spawn/init_process.h"

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <memory>

#include "backend/linux/spawn/init_image.h"
#include "backend/linux/spawn/signals_held.h"
#include "host/setup_error.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

struct Ends {
  Fd ours;
  Fd of_init;
};

Result<Ends> make_control() {
  std::array<int, 2> pair{-1, -1};
  BAWN_TRY(sys::checked("socketpair", [&] {
    return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair.data());
  }));
  Fd ours(pair[0]);
  // The child moves it to 0 by dup3, which refuses equal numbers.
  BAWN_ASSIGN(Fd of_init, sys::above_stdio(Fd(pair[1])));
  return Ends{std::move(ours), std::move(of_init)};
}

// The namespaces listed here are those that begin_vm_clone() asks for.
Error clone_error(NamespaceSet namespaces, int reason) {
  if (namespaces == NamespaceSet::none) return system_error(reason, "clone");
  return judged(
      system_error(reason, "clone with new namespaces"),
      judge_new_namespaces(reason, read_namespace_limits(), {"user", "mnt", "pid", "ipc", "uts"}));
}

}  // namespace

Result<InitProcess> InitProcess::start(NamespaceSet namespaces) {
  BAWN_ASSIGN(Fd unplaced_image, make_init_image());
  BAWN_ASSIGN(const Fd image, sys::above_stdio(std::move(unplaced_image)));
  BAWN_ASSIGN(Ends control, make_control());
  InitProcess init;
  init.vm_clone_.reset(new VmClone{
      .control = control.of_init.get(), .image = image.get(), .namespaces = namespaces});
  int pidfd = -1;
  const long pid = [&] {
    const SignalsHeld held;
    return begin_vm_clone(*init.vm_clone_, pidfd);
  }();
  if (pid < 0) return clone_error(namespaces, static_cast<int>(-pid));
  init.pid_ = static_cast<pid_t>(pid);
  init.by_clone3_ = init.vm_clone_->by_clone3;
  init.control_ = std::move(control.ours);
  init.handle_ = Fd(pidfd);
  return init;
}

void InitProcess::VmCloneEnd::operator()(VmClone* vm_clone) const {
  end_vm_clone(*vm_clone);
  delete vm_clone;
}

// Swaps; the old process is killed when `other` is destroyed.
InitProcess& InitProcess::operator=(InitProcess&& other) noexcept {
  std::swap(vm_clone_, other.vm_clone_);
  std::swap(control_, other.control_);
  std::swap(handle_, other.handle_);
  std::swap(pid_, other.pid_);
  std::swap(by_clone3_, other.by_clone3_);
  return *this;
}

Result<void> InitProcess::arrive() {
  if (!vm_clone_) return {};
  end_vm_clone(*vm_clone_);
  const int error = vm_clone_->error;
  vm_clone_.reset();
  if (error != 0) return system_error(error, "exec of init");
  return {};
}

InitProcess::~InitProcess() {
  if (!handle_) return;
  siginfo_t ignored{};
  syscall(SYS_pidfd_send_signal, handle_.get(), SIGKILL, nullptr, 0);
  sys::retried([&] {
    return waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(handle_.get()), &ignored,
                  WEXITED);
  });
}

}  // namespace bawn::linux_
