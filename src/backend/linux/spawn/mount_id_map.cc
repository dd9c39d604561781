#include "backend/linux/spawn/mount_id_map.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/linux/spawn/namespace_holder.h"
#include "backend/linux/spawn/signals_held.h"
#include "base/text.h"
#include "host/id_map.h"
#include "host/id_mapping.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::linux_ {

struct MountIdMap::Child {
  Fd parent;
  NamespaceHolder holder;
  Fd handle;  // pidfd; empty if there is no child

  Child() = default;
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (!handle) return;
    syscall(SYS_pidfd_send_signal, handle.get(), SIGKILL, nullptr, 0);
    siginfo_t ignored{};
    sys::retried([&] {
      return waitid(static_cast<idtype_t>(P_PIDFD), static_cast<id_t>(handle.get()), &ignored,
                    WEXITED | __WALL);
    });
  }

  Result<pid_t> start() {
    BAWN_ASSIGN(parent, sys::open_own_process());
    holder.parent = parent.get();
    const SignalsHeld held;
    int pidfd = -1;
    const long pid = begin_namespace_holder(holder, pidfd);
    if (pid < 0) return system_error(static_cast<int>(-pid), "clone a user namespace");
    handle = Fd(pidfd);
    return static_cast<pid_t>(pid);
  }
};

Result<MountIdMap> MountIdMap::make(const FileOwner& owner, const FileOwner& user) {
  auto child = std::make_shared<Child>();
  BAWN_ASSIGN(const pid_t pid, child->start());
  BAWN_TRY(write_id_maps(pid, {.users = plan_mount_map(owner.uid, user.uid),
                               .groups = plan_mount_map(owner.gid, user.gid)}));
  BAWN_ASSIGN(Fd file, sys::open(concat("/proc/", pid, "/ns/user").c_str(), O_RDONLY));
  return MountIdMap(std::move(child), std::move(file));
}

}  // namespace bawn::linux_
