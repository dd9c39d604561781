#include "backend/linux/terminal/terminal_nodes.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <utility>

#include "base/text.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

constexpr char kAcl[] = "system.posix_acl_access";

std::string by_descriptor(int fd) { return concat("/proc/thread-self/fd/", fd); }

bool has_acl(int fd) { return getxattr(by_descriptor(fd).c_str(), kAcl, nullptr, 0) > 0; }

// The device number of the terminal, the same for every name it was opened by: /dev/tty has a
// device number of its own.
std::optional<dev_t> terminal_number(int fd) {
  unsigned number = 0;
  if (ioctl(fd, TIOCGDEV, &number) != 0) return std::nullopt;
  return makedev(number >> 8U & 0xfffU, (number & 0xffU) | (number >> 12U & 0xfff00U));
}

bool is_node_of(int fd, dev_t terminal) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISCHR(status.st_mode) && status.st_rdev == terminal;
}

std::string name_of_terminal(dev_t terminal) {
  constexpr unsigned kPseudoTerminals = 136;
  if (major(terminal) == kPseudoTerminals) return concat("/dev/pts/", minor(terminal));
  // ".../tty/ttyS0"
  std::array<char, 1024> link{};
  const std::string path = concat("/sys/dev/char/", major(terminal), ":", minor(terminal));
  const ssize_t length = readlink(path.c_str(), link.data(), link.size());
  const std::string_view target(link.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  return concat("/dev/", target.substr(target.rfind('/') + 1));
}

// Opens the node of `fd` itself if the terminal was opened by its real name. Otherwise looks for
// the name. The descriptor comes first because in another devpts the same number is another
// terminal.
Result<Fd> open_node(int fd, dev_t terminal) {
  const bool is_itself = is_node_of(fd, terminal);
  const std::string path = is_itself ? by_descriptor(fd) : name_of_terminal(terminal);
  auto node = sys::open(path.c_str(), is_itself ? O_PATH : O_PATH | O_NOFOLLOW);
  if (!node && is_shortage(node.error().sys_errno)) return node.error();
  if (!node || !is_node_of(node.value().get(), terminal)) return Fd();
  return node;
}

std::string path_of(int fd) {
  std::array<char, 4096> path{};
  const ssize_t length = readlink(by_descriptor(fd).c_str(), path.data(), path.size());
  return std::string(path.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
}

std::string rights_of(const struct stat& status) {
  std::array<char, 8> mode{};
  static_cast<void>(std::snprintf(mode.data(), mode.size(), "%04o", status.st_mode & 07777U));
  return concat("mode ", mode.data(), ", owner ", status.st_uid, ", group ", status.st_gid);
}

bool same_rights(const struct stat& a, const struct stat& b) {
  return a.st_mode == b.st_mode && a.st_uid == b.st_uid && a.st_gid == b.st_gid;
}

}  // namespace

void TerminalNodes::add(Fd node) {
  Node added{.fd = std::move(node)};
  if (!added.fd || fstat(added.fd.get(), &added.before) != 0) return;
  const bool known = std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& other) {
    return other.before.st_dev == added.before.st_dev && other.before.st_ino == added.before.st_ino;
  });
  if (known) return;
  added.path = path_of(added.fd.get());
  added.had_acl = has_acl(added.fd.get());
  nodes_.push_back(std::move(added));
}

Result<void> TerminalNodes::add_terminal(int fd) {
  const auto terminal = terminal_number(fd);
  if (!terminal) return {};
  BAWN_ASSIGN(Fd node, open_node(fd, *terminal));
  add(std::move(node));
  return {};
}

Result<TerminalNodes> TerminalNodes::of_caller() {
  TerminalNodes nodes;
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    BAWN_TRY(nodes.add_terminal(fd));
  // ENXIO without a controlling terminal.
  const auto controlling = sys::open("/dev/tty", O_RDONLY | O_NOCTTY | O_NONBLOCK);
  if (!controlling && is_shortage(controlling.error().sys_errno)) return controlling.error();
  if (controlling) BAWN_TRY(nodes.add_terminal(controlling.value().get()));
  return nodes;
}

std::vector<TerminalNodes::Change> TerminalNodes::restore() {
  std::vector<Change> changes;
  for (const Node& node : std::exchange(nodes_, {})) {
    const int fd = node.fd.get();
    const std::string path = by_descriptor(fd);
    struct stat now {};
    const bool is_gone = fstat(fd, &now) != 0 || now.st_nlink == 0;
    if (is_gone) continue;
    const bool acl_added = !node.had_acl && has_acl(fd);
    if (same_rights(node.before, now) && !acl_added) continue;
    bool done = !acl_added || removexattr(path.c_str(), kAcl) == 0;
    const bool owned_as_before =
        fchownat(fd, "", node.before.st_uid, node.before.st_gid, AT_EMPTY_PATH) == 0;
    const mode_t mode = node.before.st_mode & (owned_as_before ? 07777U : 07707U);
    done = chmod(path.c_str(), mode) == 0 && done;
    changes.push_back(
        {node.path,
         concat("had ", rights_of(node.before), " and got ", rights_of(now),
                acl_added ? " and an access control list" : "",
                !done ? "; it could not be put back"
                : owned_as_before
                    ? "; it is put back"
                    : "; its group could not be put back, so the group may no longer use it")});
  }
  return changes;
}

}  // namespace bawn::linux_
