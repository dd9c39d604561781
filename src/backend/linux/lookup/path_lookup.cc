#include "backend/linux/lookup/path_lookup.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sodium/crypto_hash_sha256.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <optional>

#include "base/text.h"
#include "sys/call.h"
#include "sys/directory.h"
#include "validate/path_walk.h"
#include "validate/scope.h"

namespace bawn::linux_ {
namespace {

constexpr int kOpenPath = O_PATH | O_NOFOLLOW | O_CLOEXEC;

// Returns -1 with errno as openat2 does; ENOSYS on kernels and in containers without it.
int open_resolved(const std::string& path, std::uint64_t resolve) {
  open_how how{};
  how.flags = kOpenPath;
  how.resolve = resolve;
  return sys::retried([&] {
    return static_cast<int>(syscall(SYS_openat2, AT_FDCWD, path.c_str(), &how, sizeof how));
  });
}

int open_component(int directory, const std::string& name) {
  return sys::retried([&] { return openat(directory, name.c_str(), kOpenPath); });
}

std::string via_proc(int fd) { return concat("/proc/self/fd/", fd); }

bool may_execute(int fd, mode_t mode, Shortage& shortage) {
  if (faccessat(fd, "", X_OK, AT_EMPTY_PATH | AT_EACCESS) == 0) return true;
  const int reason = errno;
  shortage.note(reason, "faccessat2");
  return reason == ENOSYS && (mode & 0111) != 0;
}

bool has_file_capabilities(int fd, Shortage& shortage) {
  const ssize_t length = getxattr(via_proc(fd).c_str(), "security.capability", nullptr, 0);
  if (length < 0) shortage.note(errno, "getxattr");
  return length > 0;
}

Located found(std::string path, Fd fd, const struct stat& status, Shortage& shortage) {
  Located located{.path = std::move(path)};
  located.kind = S_ISREG(status.st_mode)   ? FileKind::regular
                 : S_ISDIR(status.st_mode) ? FileKind::directory
                                           : FileKind::other;
  if (S_ISREG(status.st_mode)) {
    located.owned_by_root = status.st_uid == 0 && geteuid() != 0;
    located.executable = may_execute(fd.get(), status.st_mode, shortage);
    located.set_id = (status.st_mode & (S_ISUID | S_ISGID)) != 0 ||
                     (located.executable && has_file_capabilities(fd.get(), shortage));
  }
  located.device = status.st_dev;
  located.inode = status.st_ino;
  located.size = static_cast<std::uint64_t>(status.st_size);
  if (S_ISREG(status.st_mode)) located.link_count = status.st_nlink;
  located.owner = {status.st_uid, status.st_gid};
  located.file = std::make_shared<OpenPath>(std::move(fd));
  return located;
}

// fstat on an open descriptor fails only if the kernel is out of memory. Nothing is known about the
// file then.
std::optional<struct stat> status_of(int fd, Shortage& shortage) {
  struct stat status {};
  if (fstat(fd, &status) == 0) return status;
  shortage.note(errno, "fstat");
  return std::nullopt;
}

// Four links in /proc are ordinary text. All others there may be magic links, which can lead past
// every boundary.
bool is_magic_link(int on_its_file_system, std::string_view name, Shortage& shortage) {
  struct statfs fs {};
  if (fstatfs(on_its_file_system, &fs) != 0) {
    shortage.note(errno, "fstatfs");
    return false;
  }
  if (fs.f_type != PROC_SUPER_MAGIC) return false;
  return name != "self" && name != "thread-self" && name != "mounts" && name != "net";
}

std::string link_target(int fd, Shortage& shortage) {
  std::array<char, 4096> target{};
  const ssize_t length = readlinkat(fd, "", target.data(), target.size());
  if (length < 0) shortage.note(errno, "readlinkat");
  return length <= 0 ? std::string() : std::string(target.data(), static_cast<std::size_t>(length));
}

// Whether a process of the caller can create and replace names in the directory. Its owner always
// can, by changing the mode.
bool caller_can_write(int fd, const struct stat& directory, Shortage& shortage) {
  if (directory.st_uid == geteuid() || faccessat(fd, "", W_OK, AT_EMPTY_PATH | AT_EACCESS) == 0)
    return true;
  shortage.note(errno, "faccessat2");
  return false;
}

// Opens a path component by component, where the kernel cannot answer in one call. For PathWalk.
class Tree {
 public:
  struct PathEntry {
    std::string path;
    Fd fd;
    struct stat status {};
    // The caller can write to it, or can rename a directory above it.
    bool writable = false;
  };

  explicit Tree(Shortage& shortage) : shortage_(shortage) {}

  Seen<PathEntry> root() { return opened("/", open_component(AT_FDCWD, "/")); }

  Seen<PathEntry> look(const PathEntry& directory, const std::string& name) {
    std::string path = path_below(directory.path, name);
    // opened() reads errno, so nothing may come between it and the open.
    Seen<PathEntry> seen = opened(std::move(path), open_component(directory.fd.get(), name));
    auto* entry = std::get_if<PathEntry>(&seen);
    if (entry == nullptr) return seen;
    if (!S_ISLNK(entry->status.st_mode)) {
      // In a sticky directory only the owner of a name, or of the directory, can rename it.
      entry->writable |= directory.writable && (directory.status.st_mode & S_ISVTX) == 0;
      return seen;
    }
    if (is_magic_link(directory.fd.get(), name, shortage_))
      return LookupError{concat(quote(name), " is a link of /proc that leads anywhere")};
    std::string target = link_target(entry->fd.get(), shortage_);
    if (target.empty()) return LookupError{concat(quote(name), " is a link that cannot be read")};
    return LinkTo{std::move(target),
                  link_maker(entry->status.st_uid, geteuid(), directory.writable)};
  }

  Located found(PathEntry entry) {
    return linux_::found(std::move(entry.path), std::move(entry.fd), entry.status, shortage_);
  }

 private:
  // Call it directly after the open that made `fd`: it reads the errno of that call.
  Seen<PathEntry> opened(std::string path, int fd) {
    const int reason = errno;
    if (fd == -1 && (reason == ENOENT || reason == ENOTDIR)) return NothingThere{};
    if (fd == -1) return error(reason, quote(path));
    PathEntry entry{.path = std::move(path), .fd = Fd(fd)};
    if (fstat(fd, &entry.status) != 0) return error(errno, quote(entry.path));
    entry.writable = S_ISDIR(entry.status.st_mode) && caller_can_write(fd, entry.status, shortage_);
    return entry;
  }

  LookupError error(int reason, const std::string& name) {
    shortage_.note(reason, concat("open ", name));
    return LookupError{concat(name, ": ", errno_text(reason))};
  }

  Shortage& shortage_;
};

// An O_PATH descriptor cannot be read. Opening it through /proc gives the same file, whatever has
// the name now.
Fd reopen(const Located& file, Shortage& shortage) {
  if (file.file == nullptr || file.kind != FileKind::regular) return Fd();
  Fd fd(sys::retried(
      [&] { return open(via_proc(fd_of(file)).c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (!fd) shortage.note(errno, concat("open ", quote(file.path)));
  return fd;
}

}  // namespace

int fd_of(const Located& located) { return static_cast<const OpenPath&>(*located.file).fd(); }

Located FileSystemLookup::locate(std::string_view path) const {
  // Each result holds a descriptor, and the caller's RLIMIT_NOFILE may be low.
  constexpr std::size_t kMostRemembered = 128;
  if (const auto known = found_.find(path); known != found_.end()) return known->second;
  Located located = look_up(path);
  if (found_.size() < kMostRemembered) found_.emplace(path, located);
  return located;
}

Located FileSystemLookup::look_up(std::string_view path) const {
  if (path.find('\0') != std::string_view::npos)
    return {.path = std::string(path), .error = "contains a NUL byte"};
  const std::string spelled(path);
  Fd fd(open_resolved(spelled, RESOLVE_NO_SYMLINKS));
  // The kernel walks from left to right and stops at the first link (ELOOP). Both success and
  // ENOENT mean that there was no link before, and without links ".." can be resolved in the text.
  if (!fd && errno == ENOENT) return {.path = lexically_normal(spelled)};
  if (fd) {
    const auto status = status_of(fd.get(), shortage_);
    if (status && !S_ISLNK(status->st_mode))
      return found(lexically_normal(spelled), std::move(fd), *status, shortage_);
  }
  Tree tree(shortage_);
  return PathWalk<Tree, Tree::PathEntry>(tree, path).run();
}

std::string FileSystemLookup::link_text(std::string_view path) const {
  if (path.find('\0') != std::string_view::npos) return "";
  const Fd fd(open_resolved(std::string(path), RESOLVE_NO_SYMLINKS));
  if (!fd) shortage_.note(errno, concat("open ", quote(path)));
  const auto status = fd ? status_of(fd.get(), shortage_) : std::nullopt;
  if (!status || !S_ISLNK(status->st_mode)) return "";
  const bool is_magic = is_magic_link(fd.get(), path.substr(path.rfind('/') + 1), shortage_);
  return is_magic ? "" : link_target(fd.get(), shortage_);
}

std::vector<std::string> FileSystemLookup::names_in(const Located& directory,
                                                    std::size_t most) const {
  if (directory.file == nullptr) return {};
  auto names = sys::names_in(fd_of(directory), most);
  if (!names) shortage_.note(names.error().sys_errno, concat("read ", quote(directory.path)));
  return names ? std::move(names).value() : std::vector<std::string>();
}

std::optional<std::string> FileSystemLookup::head(const Located& file, std::size_t most) const {
  const Fd fd = reopen(file, shortage_);
  if (!fd) return std::nullopt;
  std::string bytes(most, '\0');
  const ssize_t got = sys::retried([&] { return pread(fd.get(), bytes.data(), bytes.size(), 0); });
  if (got < 0) shortage_.note(errno, concat("read ", quote(file.path)));
  if (got < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

std::string FileSystemLookup::sha256(const Located& file) const {
  const Fd fd = reopen(file, shortage_);
  if (!fd) return "";
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  std::array<unsigned char, 64 * 1024> block{};
  for (;;) {
    const ssize_t got = sys::retried([&] { return read(fd.get(), block.data(), block.size()); });
    if (got < 0) shortage_.note(errno, concat("read ", quote(file.path)));
    if (got < 0) return "";
    if (got == 0) break;
    crypto_hash_sha256_update(&state, block.data(), static_cast<unsigned long long>(got));
  }
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256_final(&state, digest.data());
  return hex(digest);
}

}  // namespace bawn::linux_
