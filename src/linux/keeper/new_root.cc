#include "linux/keeper/new_root.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <linux/stat.h>
#include <sys/statfs.h>

#include "linux/keeper/kernel.h"
#include "linux/keeper/stamp.h"

namespace bawn::keeper {
namespace {

constexpr long kEinval = -22;
constexpr long kEnoent = -2;
constexpr long kEstale = -116;
constexpr long kEloop = -40;
constexpr long kEexist = -17;
constexpr long kEacces = -13;
constexpr unsigned kPrivate = 1U << 18;  // MS_PRIVATE
constexpr int kDetach = 2;               // MNT_DETACH
constexpr std::uint32_t kFormatMask = 0170000;
constexpr std::uint32_t kDirectoryFormat = 0040000;
constexpr std::uint32_t kFileFormat = 0100000;
constexpr long kLongestLink = 4096;
constexpr std::uint64_t kLeastFiles = 4096;  // room for the root itself, however small the scratch space

// Closes what it holds. The keeper opens many files one after the other and must not run out of them.
class Handle {
 public:
  explicit Handle(long fd) : fd_(static_cast<int>(fd)) {}
  ~Handle() {
    if (fd_ >= 0) kernel(__NR_close, fd_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool failed() const { return fd_ < 0; }
  [[nodiscard]] long error() const { return fd_; }

 private:
  int fd_;
};

long open_without_links(int directory, const char* path, std::uint64_t flags, std::uint64_t resolve) {
  const struct open_how how = {.flags = flags | O_CLOEXEC,
                               .mode = 0,
                               .resolve = resolve | RESOLVE_NO_MAGICLINKS | RESOLVE_NO_SYMLINKS};
  return kernel(__NR_openat2, directory, path, &how, sizeof how);
}

long look_at(int fd, struct statx& found) {
  return kernel(__NR_statx, fd, "", AT_EMPTY_PATH, STATX_TYPE | STATX_MODE | STATX_INO | STATX_SIZE, &found);
}

std::uint64_t device_of(const struct statx& found) {
  return (std::uint64_t{found.stx_dev_major} << 32) | found.stx_dev_minor;
}

bool is_directory(const struct statx& found) { return (found.stx_mode & kFormatMask) == kDirectoryFormat; }

bool is(const struct statx& found, const FileIdentity& identity) {
  return identity.inode == 0 || (found.stx_ino == identity.inode && device_of(found) == identity.device);
}

class Builder {
 public:
  explicit Builder(const NewRoot& order) : order_(order), program_(*order.program) {}

  RootFailure run() {
    if (const long error = make_base(); error < 0) return {Step::make_root, error, 0};
    stamp(order_.stamps, Step::make_root);
    const auto* parts = reinterpret_cast<const Part*>(base() + program_.parts);
    for (std::uint32_t i = 0; i < program_.part_count; ++i) {
      if (const long error = make(parts[i]); error < 0) {
        return {Step::make_part, error, static_cast<int>(i)};
      }
    }
    stamp(order_.stamps, Step::make_part);
    if (const long error = seal(); error < 0) return {Step::make_root, error, 0};
    return enter();
  }

 private:
  [[nodiscard]] std::uintptr_t base() const { return reinterpret_cast<std::uintptr_t>(&program_); }
  [[nodiscard]] const char* text(std::uint32_t offset) const {
    return reinterpret_cast<const char*>(base() + offset);
  }

  // The run's own file system is its root. It is mounted over the old one, where nobody else can see it: this mount
  // namespace is a copy that nothing flows back from.
  long make_base() {
    const Handle mounted(make_file_system("tmpfs", "0755", program_.scratch_bytes, kOwnAttributes));
    if (mounted.failed()) return mounted.error();
    if (const long error = attach(mounted.get(), AT_FDCWD, "/"); error < 0) return error;
    root_ = static_cast<int>(kernel(__NR_fcntl, mounted.get(), F_DUPFD_CLOEXEC, 3));
    if (root_ < 0) return root_;
    struct statx found = {};
    if (const long error = look_at(root_, found); error < 0) return error;
    own_device_ = device_of(found);
    return 0;
  }

  static long make_file_system(const char* type, const char* mode, std::uint64_t bytes, unsigned attributes) {
    const Handle context(kernel(__NR_fsopen, type, FSOPEN_CLOEXEC));
    if (context.failed()) return context.error();
    const auto set = [&](const char* key, const char* value) {
      return kernel(__NR_fsconfig, context.get(), FSCONFIG_SET_STRING, key, value, 0);
    };
    if (mode != nullptr) {
      if (const long error = set("mode", mode); error < 0) return error;
    }
    if (bytes != 0) {
      if (const long error = set("size", Decimal(bytes).text); error < 0) return error;
      // An empty file takes no bytes of the size, and a kilobyte of the kernel's memory.
      const std::uint64_t files = kLeastFiles + bytes / 1024;
      if (const long error = set("nr_inodes", Decimal(files).text); error < 0) return error;
    }
    const long made = kernel(__NR_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0);
    if (made < 0) return made;
    return kernel(__NR_fsmount, context.get(), FSMOUNT_CLOEXEC, attributes);
  }

  static long attach(int mounted, int directory, const char* path) {
    const unsigned flags =
        MOVE_MOUNT_F_EMPTY_PATH | (path[0] == 0 ? static_cast<unsigned>(MOVE_MOUNT_T_EMPTY_PATH) : 0U);
    return kernel(__NR_move_mount, mounted, "", directory, path, flags);
  }

  long make(const Part& part) {
    switch (part.kind) {
      case PartKind::bind:
        return bind(part, text(part.source));
      case PartKind::mirror:
        return mirror(part);
      case PartKind::directory:
        return make_empty(part);
      case PartKind::scratch:
        return make_scratch(part);
      case PartKind::link:
        return make_link(part, text(part.source));
      case PartKind::file:
        return make_file(part);
      case PartKind::proc:
        return make_proc(part);
      case PartKind::terminals:
        return make_terminals(part);
      case PartKind::hidden:
        return hide(part);
    }
    return kEinval;
  }

  long bind(const Part& part, const char* source) {
    const Handle opened(open_without_links(AT_FDCWD, source, O_PATH, 0));
    if (opened.failed()) return opened.error();
    struct statx found = {};
    if (const long error = look_at(opened.get(), found); error < 0) return error;
    if (!is(found, part.identity)) return kEstale;
    return bind_opened(part, opened.get(), is_directory(found));
  }

  long bind_opened(const Part& part, int source, bool directory) {
    const Handle tree(kernel(__NR_open_tree, source, "",
                             OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH | AT_RECURSIVE));
    if (tree.failed()) return tree.error();
    const bool writable = (part.flags & part_writable) != 0;
    struct mount_attr attributes = {};
    attributes.attr_set = MOUNT_ATTR_NOSUID;
    if (!writable) attributes.attr_set |= MOUNT_ATTR_RDONLY;
    if ((part.flags & part_device) == 0) attributes.attr_set |= MOUNT_ATTR_NODEV;
    attributes.propagation = kPrivate;
    const long changed = kernel(__NR_mount_setattr, tree.get(), "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes,
                                sizeof attributes);
    if (changed < 0) return changed;
    return place(part, tree.get(), directory, attributes.attr_set);
  }

  // Puts a mount where the part belongs, and reads back what the kernel made of its flags.
  long place(const Part& part, int mounted, bool directory, std::uint64_t attributes) {
    const Handle spot(make_spot(text(part.destination), directory));
    if (spot.failed()) return spot.error();
    if (const long error = attach(mounted, spot.get(), ""); error < 0) return error;
    struct statfs64 now = {};
    if (const long error = kernel(__NR_fstatfs, mounted, &now); error < 0) return error;
    // MOUNT_ATTR_RDONLY, NOSUID and NODEV have the values of ST_RDONLY, ST_NOSUID and ST_NODEV.
    constexpr std::uint64_t kShown = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
    const std::uint64_t wanted = attributes & kShown;
    if ((static_cast<std::uint64_t>(now.f_flags) & wanted) != wanted) return kEinval;
    ++order_.readback->parts_made;
    return allow_writing(part, mounted, directory);
  }

  // Landlock behind the mount flags: nothing but these places is ever written to.
  long allow_writing(const Part& part, int place, bool directory) {
    if (order_.landlock < 0 || (part.flags & (part_writable | part_device)) == 0) return 0;
    constexpr std::uint64_t kRightsOfFiles = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                             LANDLOCK_ACCESS_FS_READ_FILE | (3ULL << 14);
    const std::uint64_t rights =
        (part.flags & part_device) != 0 ? program_.device_access : program_.write_access;
    return add_rule(place, directory ? rights : rights & kRightsOfFiles);
  }

  [[nodiscard]] long add_rule(int place, std::uint64_t rights) const {
    const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = place};
    return kernel(__NR_landlock_add_rule, order_.landlock, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  }

  // The system's own paths: whoever could change them between two calls owns the system.
  long mirror(const Part& part) {
    const char* path = text(part.destination);
    if ((part.flags & part_device) != 0) return mirror_opened(part, O_PATH);
    const long made = mirror_opened(part, O_RDONLY | O_NONBLOCK);
    if (made == kEacces) return mirror_opened(part, O_PATH);  // one may pass through what one may not read
    if (made != kEloop) return made;
    const long length = kernel(__NR_readlinkat, AT_FDCWD, path, buffer_, kLongestLink);
    if (length < 0) return length;
    if (length == kLongestLink) return kEloop;
    buffer_[length] = 0;
    return make_link(part, buffer_);
  }

  long mirror_opened(const Part& part, int flags) {
    const Handle opened(
        kernel(__NR_openat, AT_FDCWD, text(part.destination), flags | O_NOFOLLOW | O_CLOEXEC, 0));
    if (opened.error() == kEnoent) return 0;
    if (opened.failed()) return opened.error();
    struct statx found = {};
    if (const long error = look_at(opened.get(), found); error < 0) return error;
    constexpr std::uint64_t kSmall = 64 * 1024;
    const bool small_file = (found.stx_mode & kFormatMask) == kFileFormat && found.stx_size <= kSmall;
    if (small_file && (flags & O_PATH) == 0) return copy(part, opened.get(), found.stx_size);
    return bind_opened(part, opened.get(), is_directory(found));
  }

  // Cheaper than a mount, for settings that fit into a few pages.
  long copy(const Part& part, int source, std::uint64_t size) {
    const Handle file(create(part));
    if (file.failed()) return file.error();
    std::uint64_t copied = 0;
    for (;;) {
      const long got = kernel(__NR_read, source, buffer_, sizeof buffer_);
      if (got < 0) return got;
      if (got == 0) return copied == size ? 0 : kEstale;
      const long written = kernel(__NR_write, file.get(), buffer_, got);
      if (written != got) return written < 0 ? written : kEinval;
      copied += static_cast<std::uint64_t>(got);
    }
  }

  long make_empty(const Part& part) {
    const Handle spot(make_spot(text(part.destination), true));
    return spot.failed() ? spot.error() : 0;
  }

  // Bound onto itself, it stays writable when the root around it is not.
  long make_scratch(const Part& part) {
    const Handle spot(make_spot(text(part.destination), true));
    if (spot.failed()) return spot.error();
    const Handle tree(
        kernel(__NR_open_tree, spot.get(), "", OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_EMPTY_PATH));
    if (tree.failed()) return tree.error();
    return place(part, tree.get(), true, kOwnAttributes);
  }

  long make_link(const Part& part, const char* target) {
    if (const long error = enter_parent(text(part.destination)); error < 0) return error;
    if (!parent_is_own_) return kEnoent;
    return kernel(__NR_symlinkat, target, parent_, last_name(text(part.destination)));
  }

  long make_file(const Part& part) {
    const Handle file(create(part));
    if (file.failed()) return file.error();
    const long written = kernel(__NR_write, file.get(), text(part.source), part.source_size);
    if (written < 0) return written;
    return written == static_cast<long>(part.source_size) ? 0 : kEinval;
  }

  // A new file of the run's own file system, open for writing.
  long create(const Part& part) {
    if (const long error = enter_parent(text(part.destination)); error < 0) return error;
    if (!parent_is_own_) return kEnoent;
    return kernel(__NR_openat, parent_, last_name(text(part.destination)),
                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
  }

  // Read-only: /proc/sys belongs to the host's root, and inside the run that may be who the command is.
  // A container that masks parts of its own /proc is not given a new one by the kernel. Then there is none: the one that is
  // there shows the processes outside, with their roots.
  long make_proc(const Part& part) {
    constexpr unsigned kAttributes =
        MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    constexpr long kEperm = -1;
    const Handle mounted(make_file_system("proc", nullptr, 0, kAttributes));
    order_.readback->fresh_proc = mounted.failed() ? static_cast<std::int32_t>(mounted.error()) : 1;
    if (mounted.error() == kEperm) return make_empty(part);
    if (mounted.failed()) return mounted.error();
    return place(part, mounted.get(), true, kAttributes);
  }

  long make_terminals(const Part& part) {
    constexpr unsigned kAttributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
    const Handle context(kernel(__NR_fsopen, "devpts", FSOPEN_CLOEXEC));
    if (context.failed()) return context.error();
    const auto set = [&](const char* key, const char* value) {
      return kernel(__NR_fsconfig, context.get(), FSCONFIG_SET_STRING, key, value, 0);
    };
    if (const long error = set("ptmxmode", "0666"); error < 0) return error;
    if (const long error = set("mode", "0600"); error < 0) return error;
    // The machine has some thousands for everybody.
    if (const long error = set("max", "256"); error < 0) return error;
    const long made = kernel(__NR_fsconfig, context.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0);
    if (made < 0) return made;
    const Handle mounted(kernel(__NR_fsmount, context.get(), FSMOUNT_CLOEXEC, kAttributes));
    if (mounted.failed()) return mounted.error();
    return place(part, mounted.get(), true, kAttributes);
  }

  // What is not there needs no hiding.
  long hide(const Part& part) {
    const Handle there(open_in_root(text(part.destination)));
    if (there.error() == kEnoent) return 0;
    if (there.failed()) return there.error();
    struct statx found = {};
    if (const long error = look_at(there.get(), found); error < 0) return error;
    if (!is_directory(found)) {
      // A device on a mount that has none cannot be opened.
      const Handle null(kernel(__NR_openat, AT_FDCWD, "/dev/null", O_PATH | O_CLOEXEC, 0));
      return null.failed() ? null.error() : bind_opened(part, null.get(), false);
    }
    const Handle empty(make_file_system("tmpfs", "0555", 4096, kOwnAttributes | MOUNT_ATTR_RDONLY));
    if (empty.failed()) return empty.error();
    return place(part, empty.get(), true, kOwnAttributes | MOUNT_ATTR_RDONLY);
  }

  [[nodiscard]] long open_in_root(const char* path) const {
    while (*path == '/') ++path;
    return open_without_links(root_, *path == 0 ? "." : path, O_PATH, RESOLVE_BENEATH);
  }

  // Opens the place where something is to be mounted, and makes it if it would lie in the run's own file system.
  [[nodiscard]] long make_spot(const char* path, bool directory) {
    if (const long error = enter_parent(path); error < 0) return error;
    const char* name = last_name(path);
    if (parent_is_own_) {
      const long made = directory ? kernel(__NR_mkdirat, parent_, name, 0755)
                                  : kernel(__NR_mknodat, parent_, name, kFileFormat | 0444, 0);
      if (made < 0 && made != kEexist) return made;
    }
    return open_without_links(parent_, name, O_PATH, RESOLVE_BENEATH);
  }

  // Enters the directory that holds the last name of the path, and makes it and those above it where they are missing;
  // fails where that would be on the host. The last one is kept: neighbours follow one another, and whatever is mounted
  // on a directory, or above it, has another parent and drops it.
  [[nodiscard]] long enter_parent(const char* path) {
    const auto length = static_cast<std::size_t>(last_name(path) - path);
    if (parent_ >= 0 && is_kept(path, length)) return 0;
    if (parent_ >= 0) kernel(__NR_close, parent_);
    parent_path_ = path;
    parent_length_ = length;
    parent_ = -1;
    const long entered = walk_to_parent(path);
    if (entered < 0) return entered;
    parent_ = static_cast<int>(entered);
    struct statx found = {};
    if (const long error = look_at(parent_, found); error < 0) return error;
    parent_is_own_ = device_of(found) == own_device_;
    return 0;
  }

  [[nodiscard]] bool is_kept(const char* path, std::size_t length) const {
    if (length != parent_length_) return false;
    for (std::size_t i = 0; i < length; ++i) {
      if (path[i] != parent_path_[i]) return false;
    }
    return true;
  }

  [[nodiscard]] long walk_to_parent(const char* path) {
    long at = kernel(__NR_fcntl, root_, F_DUPFD_CLOEXEC, 3);
    while (at >= 0) {
      while (*path == '/') ++path;
      const char* end = path;
      while (*end != 0 && *end != '/') ++end;
      if (*end == 0) break;
      char name[256];
      const auto length = static_cast<std::size_t>(end - path);
      if (length >= sizeof name) return kEinval;
      for (std::size_t i = 0; i < length; ++i) name[i] = path[i];
      name[length] = 0;
      const Handle above(at);
      at = open_without_links(above.get(), name, O_PATH | O_DIRECTORY, RESOLVE_BENEATH);
      if (at == kEnoent) at = make_directory(above.get(), name);
      path = end;
    }
    return at;
  }

  [[nodiscard]] long make_directory(int parent, const char* name) const {
    struct statx found = {};
    if (const long error = look_at(parent, found); error < 0) return error;
    if (device_of(found) != own_device_) return kEnoent;
    if (const long error = kernel(__NR_mkdirat, parent, name, 0755); error < 0) return error;
    return kernel(__NR_openat, parent, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
  }

  static const char* last_name(const char* path) {
    const char* name = path;
    for (; *path != 0; ++path) {
      if (*path == '/') name = path + 1;
    }
    return name;
  }

  // The root itself is finished and becomes read-only; what is writable has been mounted on its own.
  long seal() {
    struct mount_attr attributes = {};
    attributes.attr_set = kOwnAttributes | MOUNT_ATTR_RDONLY;
    attributes.propagation = kPrivate;
    const long sealed = kernel(__NR_mount_setattr, root_, "", AT_EMPTY_PATH, &attributes, sizeof attributes);
    if (sealed < 0 || order_.landlock < 0) return sealed;
    return add_rule(root_, program_.read_access);
  }

  // With both names the same, the old root ends up on top of the new one, where the next call takes it away.
  RootFailure enter() {
    if (const long error = kernel(__NR_fchdir, root_); error < 0) return {Step::change_root, error, 0};
    if (const long error = kernel(__NR_pivot_root, ".", "."); error < 0) return {Step::change_root, error, 0};
    stamp(order_.stamps, Step::change_root);
    if (const long error = kernel(__NR_umount2, ".", kDetach); error < 0) {
      return {Step::leave_old_root, error, 0};
    }
    if (const long error = kernel(__NR_chdir, "/"); error < 0) return {Step::leave_old_root, error, 0};
    return read_root_back();
  }

  [[nodiscard]] RootFailure read_root_back() const {
    struct statfs64 now = {};
    struct statx found = {};
    const Handle root(kernel(__NR_openat, AT_FDCWD, "/..", O_PATH | O_DIRECTORY | O_CLOEXEC, 0));
    if (root.failed()) return {Step::leave_old_root, root.error(), 0};
    if (const long error = look_at(root.get(), found); error < 0) return {Step::leave_old_root, error, 0};
    if (const long error = kernel(__NR_fstatfs, root.get(), &now); error < 0) {
      return {Step::leave_old_root, error, 0};
    }
    order_.readback->root_flags = static_cast<std::uint32_t>(now.f_flags);
    const bool ours = device_of(found) == own_device_ && (now.f_flags & MOUNT_ATTR_RDONLY) != 0;
    kernel(__NR_close, root_);
    stamp(order_.stamps, Step::leave_old_root);
    return {Step::leave_old_root, ours ? 0 : kEinval, 0};
  }

  static constexpr unsigned kOwnAttributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

  const NewRoot& order_;
  const Program& program_;
  int root_ = -1;
  std::uint64_t own_device_ = 0;
  int parent_ = -1;  // the directory that was entered last
  bool parent_is_own_ = false;
  const char* parent_path_ = nullptr;  // of this many characters, with the last slash
  std::size_t parent_length_ = 0;
  char buffer_[4 * kLongestLink];
};

}  // namespace

RootFailure make_new_root(const NewRoot& root) { return Builder(root).run(); }

long open_known(const char* path, const FileIdentity& identity, int flags) {
  const long opened = open_without_links(AT_FDCWD, path, static_cast<std::uint64_t>(flags), 0);
  if (opened < 0) return opened;
  struct statx found = {};
  const long error = look_at(static_cast<int>(opened), found);
  if (error >= 0 && is(found, identity)) return opened;
  kernel(__NR_close, opened);
  return error < 0 ? error : kEstale;
}

}  // namespace bawn::keeper
