#include "backend/linux/stdio/stdio_file.h"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <linux/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <climits>

#include "backend/linux/stdio/description_guard.h"
#include "base/text.h"
#include "plan/writable_file.h"
#include "sys/call.h"
#include "sys/open.h"

namespace bawn::linux_ {
namespace {

constexpr unsigned kMemoryDevices = 1;  // the major number
constexpr unsigned kNull = 3;
constexpr std::array kPlainDevices = {kNull, 5U, 7U, 8U, 9U};  // null, zero, full, random, urandom

std::uint64_t number(dev_t device) { return (std::uint64_t{major(device)} << 32) | minor(device); }

// thread-self: this thread may have another descriptor table than the thread group leader.
std::string link_of(int fd) { return concat("/proc/thread-self/fd/", fd); }

bool is_plain_device(dev_t device) {
  if (major(device) != kMemoryDevices) return false;
  for (const unsigned plain : kPlainDevices) {
    if (minor(device) == plain) return true;
  }
  return false;
}

// Only a connected stream has bytes that can be relayed one after the other.
bool is_connected_stream(int fd) {
  int type = -1;
  socklen_t length = sizeof type;
  if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) != 0 || type != SOCK_STREAM) return false;
  sockaddr_storage peer{};
  length = sizeof peer;
  return getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &length) == 0;
}

StdioKind kind_of(int fd, const struct stat& found) {
  switch (found.st_mode & S_IFMT) {
    case S_IFREG:
      return StdioKind::regular;
    case S_IFDIR:
      return StdioKind::directory;
    case S_IFIFO:
      return StdioKind::pipe;
    case S_IFSOCK:
      return is_connected_stream(fd) ? StdioKind::stream_socket : StdioKind::other;
    case S_IFBLK:
      return StdioKind::device;
    case S_IFCHR:
      if (isatty(fd) == 1) return StdioKind::terminal;
      return is_plain_device(found.st_rdev) ? StdioKind::plain_device : StdioKind::device;
    default:
      return StdioKind::other;
  }
}

bool is_same_file(const struct stat& left, const struct stat& right) {
  return left.st_dev == right.st_dev && left.st_ino == right.st_ino;
}

// A renamed file has its new name here. For a file that was removed or mounted over, no name leads
// to it.
void find_name(int fd, const struct stat& found, StdioFacts& facts) {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t length = readlink(link_of(fd).c_str(), buffer.data(), buffer.size());
  if (length <= 0 || length == static_cast<ssize_t>(buffer.size()) || buffer[0] != '/') return;
  const std::string path(buffer.data(), static_cast<std::size_t>(length));
  struct stat named {};
  if (lstat(path.c_str(), &named) != 0 || !is_same_file(named, found)) return;
  const std::size_t slash = path.rfind('/');
  facts.directory = slash == 0 ? "/" : path.substr(0, slash);
  facts.name = path.substr(slash + 1);
}

// Init opens a plain device in the run's root, whatever name the caller used.
void name_plain_device(const struct stat& found, StdioFacts& facts) {
  constexpr std::array kNames = {"null", "zero", "full", "random", "urandom"};
  facts.is_null = minor(found.st_rdev) == kNull;
  facts.device = number(found.st_rdev);
  facts.directory = "/dev";
  for (std::size_t i = 0; i < kPlainDevices.size(); ++i) {
    if (minor(found.st_rdev) == kPlainDevices[i]) facts.name = kNames[i];
  }
}

// Opens the null device through a detached clone of the mount of /dev, so that the read-only flag
// applies to this run alone. Needs CAP_SYS_ADMIN.
Result<Fd> open_null_read_only() {
  BAWN_ASSIGN(const long tree, sys::checked("open_tree", [] {
                return syscall(SYS_open_tree, AT_FDCWD, "/dev",
                               OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);
              }));
  const Fd devices(static_cast<int>(tree));
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  BAWN_TRY(sys::checked("mount_setattr", [&] {
    return syscall(SYS_mount_setattr, devices.get(), "", AT_EMPTY_PATH, &attributes,
                   sizeof attributes);
  }));
  BAWN_ASSIGN(const int null, sys::checked("open null", [&] {
                return openat(devices.get(), "null", O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
              }));
  return Fd(null);
}

bool is_null(int fd, bool& owned) {
  struct stat found {};
  if (fstat(fd, &found) != 0 || !S_ISCHR(found.st_mode)) return false;
  owned = found.st_uid == geteuid();
  return found.st_rdev == makedev(kMemoryDevices, kNull);
}

// The mount id; -1 if the kernel does not tell.
std::int64_t mount_of(int directory, const char* path, int flags) {
  struct statx found {};
  if (statx(directory, path, flags, STATX_MNT_ID, &found) != 0 ||
      (found.stx_mask & STATX_MNT_ID) == 0)
    return -1;
  return static_cast<std::int64_t>(found.stx_mnt_id);
}

bool is_searchable(const char* directory, unsigned user) {
  struct stat found {};
  if (stat(directory, &found) != 0) return false;
  return (found.st_mode & (found.st_uid == user ? S_IXUSR : S_IXOTH)) != 0;
}

bool is_reachable(std::string path, unsigned user) {
  for (std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0;
       slash = path.rfind('/')) {
    path.resize(slash);
    if (!is_searchable(path.c_str(), user)) return false;
  }
  return true;
}

}  // namespace

bool could_open_by_name(int fd, const StdioFacts& facts, unsigned user) {
  const std::string path = path_of(facts);
  struct stat found {};
  if (path.empty() || fstat(fd, &found) != 0 || found.st_uid != user) return false;
  const mode_t wanted = (facts.writes ? S_IWUSR : 0U) | (facts.reads ? S_IRUSR : 0U);
  if ((found.st_mode & wanted) != wanted || !is_reachable(path, user)) return false;
  const std::int64_t mount = mount_of(fd, "", AT_EMPTY_PATH);
  return mount != -1 && mount == mount_of(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW);
}

Result<StdioFacts> look_at_stdio(int fd) {
  struct stat found {};
  BAWN_TRY(sys::checked("fstat", [&] { return fstat(fd, &found); }));
  BAWN_ASSIGN(const int flags, sys::checked("fcntl(F_GETFL)", [&] { return fcntl(fd, F_GETFL); }));
  StdioFacts facts{.owned = found.st_uid == geteuid()};
  if ((flags & O_PATH) != 0) return facts;
  const int access = flags & O_ACCMODE;
  facts.kind = kind_of(fd, found);
  facts.reads = access == O_RDONLY || access == O_RDWR;
  facts.writes = access == O_WRONLY || access == O_RDWR;
  if (facts.kind == StdioKind::plain_device) {
    name_plain_device(found, facts);
    return facts;
  }
  facts.device = number(found.st_dev);
  facts.inode = found.st_ino;
  if (facts.kind != StdioKind::regular) return facts;
  facts.position = lseek(fd, 0, SEEK_CUR);
  find_name(fd, found, facts);
  return facts;
}

namespace {

// Adds what only some files and tiers need.
void look_closer(int fd, const Plan& plan, StdioFacts& facts) {
  const bool is_input = fd == STDIN_FILENO;
  if (facts.kind == StdioKind::plain_device && plan.tier == Tier::b && !facts.owned)
    facts.opens_anew = static_cast<bool>(open_anew(fd, is_input ? O_RDONLY : O_WRONLY));
  if (is_input || facts.kind != StdioKind::regular || facts.name.empty()) return;
  const auto* namespaces = plan.part<NamespacesPlan>();
  const unsigned user =
      namespaces != nullptr ? writing_user(*namespaces, path_of(facts)) : geteuid();
  facts.can_be_handed_over =
      could_open_by_name(fd, facts, user) && DescriptionGuard::can_restore(fd);
}

}  // namespace

Result<CallerStdio> look_at_callers(const Plan& plan, const StdioWish& wish) {
  CallerStdio callers;
  for (int fd = 0; fd < 3; ++fd) {
    if (!uses_callers(fd, wish, plan.terminal)) continue;
    StdioFacts& facts = callers.files[static_cast<std::size_t>(fd)];
    BAWN_ASSIGN(facts, look_at_stdio(fd));
    look_closer(fd, plan, facts);
  }
  if (wish.input_is_callers) {
    callers.is_stdin[1] = is_one_description(STDIN_FILENO, STDOUT_FILENO);
    callers.is_stdin[2] = is_one_description(STDIN_FILENO, STDERR_FILENO);
  }
  if (wish.outputs_are_callers)
    callers.outputs_share_an_end = share_an_end(STDOUT_FILENO, STDERR_FILENO);
  return callers;
}

// Without kcmp, two descriptions of one file with the same position and flags are taken for one.
bool is_one_description(int first, int second) {
  const pid_t self = getpid();
  const long order = syscall(SYS_kcmp, self, self, KCMP_FILE, first, second);
  if (order >= 0) return order == 0;
  struct stat left {};
  struct stat right {};
  return fstat(first, &left) == 0 && fstat(second, &right) == 0 && is_same_file(left, right) &&
         lseek(first, 0, SEEK_CUR) == lseek(second, 0, SEEK_CUR) &&
         fcntl(first, F_GETFL) == fcntl(second, F_GETFL);
}

bool share_an_end(int first, int second) {
  if (is_one_description(first, second)) return true;
  struct stat left {};
  struct stat right {};
  if (fstat(first, &left) != 0 || fstat(second, &right) != 0 || !is_same_file(left, right))
    return false;
  return S_ISFIFO(left.st_mode) || (fcntl(first, F_GETFL) & fcntl(second, F_GETFL) & O_APPEND) != 0;
}

Result<Fd> open_anew(int fd, int flags) {
  struct stat expected {};
  BAWN_TRY(sys::checked("fstat", [&] { return fstat(fd, &expected); }));
  BAWN_ASSIGN(Fd copy, sys::open(link_of(fd).c_str(), flags | O_NOCTTY));
  struct stat got {};
  BAWN_TRY(sys::checked("fstat", [&] { return fstat(copy.get(), &got); }));
  if (!is_same_file(got, expected)) return system_error(ESTALE, concat("open ", link_of(fd)));
  return sys::above_stdio(std::move(copy));
}

// The host's node is safe for every user but its owner, who could change its mode.
Result<Fd> open_empty_input() {
  bool owned = false;
  auto opened = sys::open("/dev/null", O_RDONLY);
  if (opened && is_null(opened.value().get(), owned)) {
    if (owned) opened = open_null_read_only();
    if (opened) return sys::above_stdio(std::move(opened).value());
  }
  BAWN_ASSIGN(Fd empty, sys::sealed_memory_file("stdin", ""));
  return sys::above_stdio(std::move(empty));
}

}  // namespace bawn::linux_
