#include "backend/linux/spawn/mount_id_map.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

#include "backend/linux/spawn/namespace_holder.h"
#include "backend/linux/spawn/signals_held.h"
#include "base/text.h"
#include "host/id_map.h"
#include "host/id_mapping.h"
#include "sys/call.h"
#include "sys/event_poll.h"
#include "sys/open.h"

namespace bawn::linux_ {

namespace {

// A child that is killed ends at once, however loaded the machine is.
constexpr std::chrono::seconds kPatience{1};

}  // namespace

struct MountIdMap::Child {
  Fd parent;
  std::unique_ptr<NamespaceHolder> holder = std::make_unique<NamespaceHolder>();
  pid_t pid = -1;
  Fd handle;  // pidfd

  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (handle && !end()) static_cast<void>(holder.release());
  }

  Result<void> start() {
    BAWN_ASSIGN(parent, sys::open_own_process());
    holder->parent = parent.get();
    const SignalsHeld held;
    int pidfd = -1;
    const long task = begin_namespace_holder(*holder, pidfd);
    if (task < 0) return system_error(static_cast<int>(-task), "clone a user namespace");
    pid = static_cast<pid_t>(task);
    handle = Fd(pidfd);
    return {};
  }

  // False if the child cannot be killed. It ends with this process then, and until that its stack
  // must stay. Nothing here may wait for it without an end.
  [[nodiscard]] bool end() const {
    if (syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0) != 0) kill(pid, SIGKILL);
    if (!sys::becomes_readable(handle.get(), kPatience)) return false;
    sys::retried([&] { return waitpid(pid, nullptr, __WALL | WNOHANG); });
    return true;
  }
};

Result<MountIdMap> MountIdMap::make(const FileOwner& owner, const FileOwner& user) {
  auto child = std::make_shared<Child>();
  BAWN_TRY(child->start());
  BAWN_TRY(write_id_maps(child->pid, {.users = plan_mount_map(owner.uid, user.uid),
                                      .groups = plan_mount_map(owner.gid, user.gid)}));
  BAWN_ASSIGN(Fd file, sys::open(concat("/proc/", child->pid, "/ns/user").c_str(), O_RDONLY));
  return MountIdMap(std::move(child), std::move(file));
}

}  // namespace bawn::linux_
