#include "backend/linux/init/terminal.h"

#include <asm/ioctls.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "backend/linux/init/kernel.h"

namespace bawn::init {
namespace {

bool same_size(const WindowSize& left, const WindowSize& right) {
  return left.rows == right.rows && left.columns == right.columns;
}

long set_size(int slave, const WindowSize& wanted) {
  WindowSize now = {};
  if (const long error = kernel(__NR_ioctl, slave, TIOCSWINSZ, &wanted); error < 0) return error;
  if (const long error = kernel(__NR_ioctl, slave, TIOCGWINSZ, &now); error < 0) return error;
  return same_size(now, wanted) ? 0 : kEinval;
}

}  // namespace

long open_terminal(const char* ptmx, const TerminalOrder& order, Pty& terminal) {
  // O_NONBLOCK, because bawn must never wait for the terminal. The flag belongs to this open file
  // description, which only bawn gets, so the command's side stays blocking.
  constexpr int kMaster = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC;
  const long master = kernel(__NR_openat, AT_FDCWD, ptmx, kMaster, 0);
  if (master < 0) return master;
  terminal.master = static_cast<int>(master);
  const int unlocked = 0;
  if (const long error = kernel(__NR_ioctl, master, TIOCSPTLCK, &unlocked); error < 0) return error;
  const long slave = kernel(__NR_ioctl, master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (slave < 0) return slave;
  terminal.slave = static_cast<int>(slave);
  if (const long error = set_size(terminal.slave, order.size); error < 0) return error;
  if (order.has_modes) {
    if (const long error = kernel(__NR_ioctl, slave, TCSETS, &order.modes); error < 0) return error;
  }
  return order.led_by_command ? 0 : take_control(terminal.slave);
}

long take_control(int slave) {
  if (const long error = kernel(__NR_ioctl, slave, TIOCSCTTY, 0); error < 0) return error;
  const long session = session_of(slave);
  if (session < 0) return session;
  return session == kernel(__NR_getpid) ? 0 : kEinval;
}

long set_foreground(int slave, std::int32_t group) {
  return kernel(__NR_ioctl, slave, TIOCSPGRP, &group);
}

long foreground_of(int slave) {
  std::int32_t group = 0;
  const long error = kernel(__NR_ioctl, slave, TIOCGPGRP, &group);
  return error < 0 ? error : group;
}

long session_of(int slave) {
  std::int32_t session = 0;
  const long error = kernel(__NR_ioctl, slave, TIOCGSID, &session);
  return error < 0 ? error : session;
}

void send_with_file(int socket, const Report& report, int file) {
  struct iovec text = {const_cast<Report*>(&report), sizeof report};
  alignas(struct cmsghdr) char space[CMSG_SPACE(sizeof(int))] = {};
  struct msghdr message = {};
  message.msg_iov = &text;
  message.msg_iovlen = 1;
  message.msg_control = space;
  message.msg_controllen = sizeof space;
  auto* header = reinterpret_cast<struct cmsghdr*>(space);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof(int));
  *reinterpret_cast<int*>(CMSG_DATA(header)) = file;
  kernel(__NR_sendmsg, socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace bawn::init
