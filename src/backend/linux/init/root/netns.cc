#include "backend/linux/init/root/netns.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <linux/if.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <linux/stat.h>
#include <sys/socket.h>

#include <cstddef>

#include "backend/linux/init/clone_onto.h"
#include "backend/linux/init/cpu_spread.h"

namespace bawn::init {
namespace {

// The thread's result. Init reads it only after `unfinished` has become 0.
struct Making {
  int unfinished = 1;  // the kernel sets it to 0 when the thread has ended (CLONE_CHILD_CLEARTID)
  long error = 0;
  int handle = -1;  // descriptor of the namespace
};
Making making;

alignas(16) char thread_stack[16 * 1024];

// The kernel assigns 127.0.0.1 and ::1 when the interface comes up.
long bring_up_loopback(int socket) {
  struct ifreq request = {};
  request.ifr_name[0] = 'l';
  request.ifr_name[1] = 'o';
  request.ifr_flags = IFF_UP;
  if (const long error = kernel(__NR_ioctl, socket, SIOCSIFFLAGS, &request); error < 0)
    return error;
  if (const long error = kernel(__NR_ioctl, socket, SIOCGIFFLAGS, &request); error < 0)
    return error;
  return (request.ifr_flags & IFF_UP) != 0 ? 0 : kEperm;
}

long open_socket() { return kernel(__NR_socket, AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0); }

// A descriptor of the socket's network namespace. Needs no /proc.
long namespace_of(int socket) { return kernel(__NR_ioctl, socket, SIOCGSKNS, 0); }

long make_network() {
  if (const long error = kernel(__NR_unshare, CLONE_NEWNET); error < 0) return error;
  const long socket = open_socket();
  if (socket < 0) return socket;
  long handle = bring_up_loopback(static_cast<int>(socket));
  if (handle >= 0) handle = namespace_of(static_cast<int>(socket));
  kernel(__NR_close, socket);
  if (handle < 0) return handle;
  making.handle = static_cast<int>(handle);
  return 0;
}

[[noreturn]] void run_thread(void*) {
  making.error = make_network();
  for (;;) kernel(__NR_exit, 0);
}

long start_thread() {
  constexpr unsigned long kFlags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
                                   CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
  return clone_onto({.flags = kFlags,
                     .clone3_flags = 0,
                     .exit_signal = 0,
                     .stack = thread_stack,
                     .stack_size = sizeof thread_stack,
                     .entry = run_thread,
                     .argument = nullptr,
                     .pidfd = nullptr,
                     .ended = &making.unfinished})
      .task;
}

void wait_for_thread() {
  for (;;) {
    const int unfinished = __atomic_load_n(&making.unfinished, __ATOMIC_ACQUIRE);
    if (unfinished == 0) return;
    kernel(__NR_futex, &making.unfinished, FUTEX_WAIT, unfinished, nullptr, nullptr, 0);
  }
}

long where_we_are(std::uint64_t& inode) {
  const long socket = open_socket();
  if (socket < 0) return socket;
  const long handle = namespace_of(static_cast<int>(socket));
  kernel(__NR_close, socket);
  if (handle < 0) return handle;
  struct statx found = {};
  const long error = kernel(__NR_statx, handle, "", AT_EMPTY_PATH, STATX_INO, &found);
  kernel(__NR_close, handle);
  inode = found.stx_ino;
  return error;
}

}  // namespace

void Netns::begin() {
  begun_ = start_thread();
  if (begun_ > 0) spread_cpu(begun_);
}

long Netns::enter(std::uint64_t& inode) const {
  if (begun_ < 0) return begun_;
  wait_for_thread();
  if (making.error < 0) return making.error;
  const long entered = kernel(__NR_setns, making.handle, CLONE_NEWNET);
  kernel(__NR_close, making.handle);
  if (entered < 0) return entered;
  return where_we_are(inode);
}

}  // namespace bawn::init
