#include "backend/posix/path_lookup.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "backend/posix/sha256.h"
#include "backend/posix/spelling.h"
#include "base/text.h"
#include "sys/call.h"
#include "sys/directory.h"
#include "validate/path_walk.h"

namespace bawn::posix {
namespace {

// O_SEARCH and O_PATH need only the right to pass through a directory, not to list it.
#ifdef O_SEARCH
constexpr int kEnter = O_SEARCH;
#else
constexpr int kEnter = O_PATH | O_DIRECTORY;
#endif
constexpr int kRead = O_RDONLY | O_NONBLOCK | O_NOCTTY;

class HeldFile final : public OpenFile {
 public:
  explicit HeldFile(Fd fd) : fd_(std::move(fd)) {}
  [[nodiscard]] int fd() const { return fd_.get(); }  // -1 if we may not open it

 private:
  Fd fd_;
};

int fd_of(const Located& file) {
  if (file.file == nullptr || file.kind != FileKind::regular) return -1;
  return static_cast<const HeldFile&>(*file.file).fd();
}

bool is_same(const struct stat& one, const struct stat& other) {
  return one.st_dev == other.st_dev && one.st_ino == other.st_ino &&
         (one.st_mode & S_IFMT) == (other.st_mode & S_IFMT);
}

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::regular;
  return S_ISDIR(mode) ? FileKind::directory : FileKind::other;
}

// True if a process of the caller can create and replace names in the directory. The owner counts:
// it can chmod the directory.
bool caller_can_write(int parent, const std::string& name, const struct stat& directory,
                      Shortage& shortage) {
  if (directory.st_uid == ::geteuid() || ::faccessat(parent, name.c_str(), W_OK, AT_EACCESS) == 0)
    return true;
  shortage.note(errno, concat("faccessat ", quote(name)));
  return false;
}

class Tree {
 public:
  struct PathEntry {
    std::string path;
    Fd fd;  // empty if we may not open it or need not
    struct stat status {};
    bool executable = false;
    bool writable = false;  // the caller can write to it, or rename a directory above it
  };

  explicit Tree(Shortage& shortage) : shortage_(shortage) {}

  Seen<PathEntry> root() {
    PathEntry entry{.path = "/",
                    .fd = Fd(sys::retried([] { return ::open("/", kEnter | O_CLOEXEC); }))};
    if (!entry.fd || ::fstat(entry.fd.get(), &entry.status) != 0) return error(errno, "/");
    entry.writable = caller_can_write(AT_FDCWD, "/", entry.status, shortage_);
    return entry;
  }

  Seen<PathEntry> look(const PathEntry& directory, const std::string& name) {
    if (!S_ISDIR(directory.status.st_mode)) return NothingThere{};
    if (!directory.fd) return LookupError{concat(quote(directory.path), ": ", errno_text(EACCES))};
    const int parent = directory.fd.get();
    struct stat status {};
    if (::fstatat(parent, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      const int reason = errno;
      if (reason == ENOENT || reason == ENOTDIR) return NothingThere{};
      return error(reason, name);
    }
    if (S_ISLNK(status.st_mode))
      return link(parent, name, link_maker(status.st_uid, ::geteuid(), directory.writable));
    auto spelled = spelled_name(parent, name);
    if (!spelled) return error(spelled.error(), name);
    PathEntry entry{.path = path_below(directory.path, spelled.value()), .status = status};
    // In a sticky directory only the owner of an entry can rename it.
    const bool can_be_renamed = directory.writable && (directory.status.st_mode & S_ISVTX) == 0;
    entry.writable = can_be_renamed || caller_can_write(parent, name, status, shortage_);
    return open_entry(parent, name, std::move(entry));
  }

  static Located found(PathEntry entry) {
    const struct stat& status = entry.status;
    return {.path = std::move(entry.path),
            .kind = kind_of(status.st_mode),
            .executable = entry.executable,
            .set_id = S_ISREG(status.st_mode) && (status.st_mode & (S_ISUID | S_ISGID)) != 0,
            .owned_by_root = S_ISREG(status.st_mode) && status.st_uid == 0 && ::geteuid() != 0,
            .device = static_cast<std::uint64_t>(status.st_dev),
            .inode = status.st_ino,
            .size = static_cast<std::uint64_t>(status.st_size),
            .link_count = S_ISREG(status.st_mode) ? static_cast<std::uint64_t>(status.st_nlink) : 1,
            .file = std::make_shared<HeldFile>(std::move(entry.fd)),
            .error = ""};
  }

 private:
  LookupError error(int reason, const std::string& name) {
    shortage_.note(reason, concat("open ", quote(name)));
    return LookupError{concat(quote(name), ": ", errno_text(reason))};
  }
  LookupError error(const Error& error, const std::string& name) {
    shortage_.note(error.sys_errno, concat("look up the spelling of ", quote(name)));
    return LookupError{error.message};
  }

  Seen<PathEntry> link(int parent, const std::string& name, LinkMaker maker) {
    std::array<char, 4096> target{};
    const ssize_t length = ::readlinkat(parent, name.c_str(), target.data(), target.size());
    if (length < 0) shortage_.note(errno, concat("readlink ", quote(name)));
    if (length <= 0) return LookupError{concat(quote(name), " is a link that cannot be read")};
    return LinkTo{std::string(target.data(), static_cast<std::size_t>(length)), maker};
  }

  // FIFOs, sockets and devices are not opened: open() can have effects there.
  Seen<PathEntry> open_entry(int parent, const std::string& name, PathEntry entry) {
    const FileKind kind = kind_of(entry.status.st_mode);
    if (kind == FileKind::other) return entry;
    const int flags = (kind == FileKind::directory ? kEnter : kRead) | O_NOFOLLOW | O_CLOEXEC;
    entry.fd = Fd(sys::retried([&] { return ::openat(parent, name.c_str(), flags); }));
    if (const int reason = errno; !entry.fd && reason != EACCES && reason != EPERM)
      return error(reason, name);
    if (kind == FileKind::regular) {
      entry.executable = ::faccessat(parent, name.c_str(), X_OK, AT_EACCESS) == 0;
      if (!entry.executable) shortage_.note(errno, concat("faccessat ", quote(name)));
    }
    if (!entry.fd) return entry;
    struct stat opened {};
    if (::fstat(entry.fd.get(), &opened) != 0) return error(errno, name);
    if (!is_same(opened, entry.status))
      return LookupError{concat(quote(name), " changed while it was looked at")};
    if (kind != FileKind::directory) return entry;
    auto path = spelled_path(entry.fd.get(), entry.path);
    if (!path) return error(path.error(), name);
    entry.path = std::move(path).value();
    return entry;
  }

  Shortage& shortage_;
};

}  // namespace

Located UnixLookup::locate(std::string_view path) const {
  // Each entry holds an open file, and the caller's RLIMIT_NOFILE may be low.
  constexpr std::size_t kMostRemembered = 128;
  if (path.find('\0') != std::string_view::npos)
    return {.path = std::string(path), .error = "contains a NUL byte"};
  if (const auto known = found_.find(path); known != found_.end()) return known->second;
  Tree tree(shortage_);
  Located located = PathWalk<Tree, Tree::PathEntry>(tree, path).run();
  if (found_.size() < kMostRemembered) found_.emplace(path, located);
  return located;
}

std::vector<std::string> UnixLookup::names_in(const Located& directory, std::size_t most) const {
  if (directory.file == nullptr || directory.kind != FileKind::directory) return {};
  auto names = sys::names_in(static_cast<const HeldFile&>(*directory.file).fd(), most);
  if (!names) shortage_.note(names.error().sys_errno, concat("read ", quote(directory.path)));
  return names ? std::move(names).value() : std::vector<std::string>();
}

std::optional<std::string> UnixLookup::head(const Located& file, std::size_t most) const {
  const int fd = fd_of(file);
  if (fd < 0) return std::nullopt;
  std::string bytes(most, '\0');
  const ssize_t got = sys::retried([&] { return ::pread(fd, bytes.data(), bytes.size(), 0); });
  if (got < 0) shortage_.note(errno, concat("read ", quote(file.path)));
  if (got < 0) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(got));
  return bytes;
}

std::string UnixLookup::sha256(const Located& file) const {
  const int fd = fd_of(file);
  if (fd < 0) return "";
  Sha256 hash;
  std::array<unsigned char, 64 * 1024> block{};
  for (off_t at = 0;;) {
    const ssize_t got = sys::retried([&] { return ::pread(fd, block.data(), block.size(), at); });
    if (got < 0) shortage_.note(errno, concat("read ", quote(file.path)));
    if (got < 0) return "";
    if (got == 0) return hash.finish();
    hash.add(std::span(block).first(static_cast<std::size_t>(got)));
    at += got;
  }
}

}  // namespace bawn::posix
