#include "backend/linux/init/root/new_root.h"

#include <linux/landlock.h>
#include <linux/mount.h>
#include <sys/statfs.h>

#include "backend/linux/init/opened.h"
#include "backend/linux/init/step_times.h"

namespace bawn::init {
namespace {

constexpr unsigned kPrivate = 1U << 18;      // MS_PRIVATE
constexpr int kDetach = 2;                   // MNT_DETACH
constexpr std::uint64_t kLeastFiles = 4096;  // inodes for the root itself, however small the tmpfs
constexpr unsigned kOwnAttributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;

PathKind kind_of(const struct statx& found) {
  return is_directory(found) ? PathKind::directory : PathKind::file;
}

// A new file system between fsopen() and fsmount(). The first error is kept and mount() returns it.
class Context {
 public:
  explicit Context(const char* type) : context_(kernel(__NR_fsopen, type, FSOPEN_CLOEXEC)) {
    error_ = context_.failed() ? context_.error() : 0;
  }

  Context& set(const char* key, const char* value) {
    if (error_ >= 0)
      error_ = kernel(__NR_fsconfig, context_.get(), FSCONFIG_SET_STRING, key, value, 0);
    return *this;
  }

  [[nodiscard]] long mount(unsigned attributes) {
    if (error_ >= 0)
      error_ = kernel(__NR_fsconfig, context_.get(), FSCONFIG_CMD_CREATE, nullptr, nullptr, 0);
    return error_ < 0 ? error_ : kernel(__NR_fsmount, context_.get(), FSMOUNT_CLOEXEC, attributes);
  }

 private:
  Opened context_;
  long error_;  // of the first call that failed
};

long make_tmpfs(const char* mode, std::uint64_t bytes, unsigned attributes) {
  Context context("tmpfs");
  context.set("mode", mode);
  if (bytes != 0) {
    context.set("size", Decimal(bytes).text);
    // An empty file counts nothing towards the size but takes about 1 KiB of kernel memory, so the
    // number of inodes is limited too.
    context.set("nr_inodes", Decimal(kLeastFiles + bytes / 1024).text);
  }
  return context.mount(attributes);
}

}  // namespace

// The run's tmpfs is its root. It is mounted over the old root. No other process sees that: mounts
// do not propagate from this mount namespace to the host's.
long NewRoot::begin() {
  const long mounted = make_tmpfs("0755", setup_.scratch_bytes, kOwnAttributes);
  if (mounted < 0) return mounted;
  root_ = static_cast<int>(mounted);
  if (const long error = attach(root_, AT_FDCWD, "/"); error < 0) return error;
  return paths_.begin(root_);
}

long NewRoot::reopen() {
  const long root = open_without_links(AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0);
  if (root < 0) return root;
  root_ = static_cast<int>(root);
  reopened_ = true;
  return paths_.begin(root_);
}

long NewRoot::make(const MountOp& op) {
  switch (op.kind) {
    case MountOpKind::bind:
      return bind(op);
    case MountOpKind::mirror:
      return mirror(op);
    case MountOpKind::directory:
      return paths_.make_directory(op.destination);
    case MountOpKind::scratch:
      return make_scratch(op);
    case MountOpKind::link:
      return paths_.make_link(op.destination, op.content);
    case MountOpKind::file:
      return make_file(op);
    case MountOpKind::proc:
      return make_proc(op);
    case MountOpKind::terminals:
      return make_terminals(op);
    case MountOpKind::hidden:
      return hide(op);
    case MountOpKind::program:
      return permit(op);
  }
  return kEinval;
}

long NewRoot::bind(const MountOp& op) {
  if (op.tree != 0) return bind_sent(op);
  const Opened opened(open_without_links(AT_FDCWD, op.source.path, O_PATH, 0));
  if (opened.failed()) return opened.error();
  struct statx found = {};
  if (const long error = look_at(opened.get(), found); error < 0) return error;
  if (!is(found, op.source.identity)) return kEstale;
  return bind_opened(op, opened.get(), kind_of(found));
}

// The decoder has checked the number.
long NewRoot::bind_sent(const MountOp& op) {
  const Opened tree(trees_[op.tree - 1]);
  struct statx found = {};
  if (const long error = look_at(tree.get(), found); error < 0) return error;
  if (!is(found, op.source.identity)) return kEstale;
  if (found.stx_uid == setup_.uid && found.stx_gid == setup_.gid) ++readback_.trees_owned;
  return bind_tree(op, tree.get(), kind_of(found));
}

long NewRoot::bind_opened(const MountOp& op, int source, PathKind kind) {
  const Opened tree(kernel(__NR_open_tree, source, "", kCloned | AT_EMPTY_PATH | AT_RECURSIVE));
  return tree.failed() ? tree.error() : bind_tree(op, tree.get(), kind);
}

namespace {

// Sets the flags of a detached mount of host files, before any process can reach it. Returns the
// attributes that were set, or a negative errno.
long restrict_tree(int tree, const MountOp& op) {
  struct mount_attr attributes = {};
  attributes.attr_set = MOUNT_ATTR_NOSUID;
  if (!op.writable) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if (!op.device) attributes.attr_set |= MOUNT_ATTR_NODEV;
  if (op.exec == MountExec::none) attributes.attr_set |= MOUNT_ATTR_NOEXEC;
  attributes.propagation = kPrivate;
  const long changed = kernel(__NR_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE,
                              &attributes, sizeof attributes);
  return changed < 0 ? changed : static_cast<long>(attributes.attr_set);
}

}  // namespace

long NewRoot::bind_tree(const MountOp& op, int tree, PathKind kind) {
  const long attributes = restrict_tree(tree, op);
  if (attributes < 0) return attributes;
  return mount_at(op, tree, kind, static_cast<std::uint64_t>(attributes));
}

// Attaches a mount at the op's destination.
long NewRoot::mount_at(const MountOp& op, int mounted, PathKind kind, std::uint64_t attributes) {
  if (const long error = paths_.mount(op.destination, kind, mounted); error < 0) return error;
  return read_back(op, mounted, kind, attributes);
}

// Checks that the kernel shows the flags that were set.
long NewRoot::read_back(const MountOp& op, int mounted, PathKind kind, std::uint64_t attributes) {
  struct statfs64 now = {};
  if (const long error = kernel(__NR_fstatfs, mounted, &now); error < 0) return error;
  // These have the values of ST_RDONLY, ST_NOSUID, ST_NODEV and ST_NOEXEC.
  constexpr std::uint64_t kShown =
      MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
  const std::uint64_t wanted = attributes & kShown;
  if ((static_cast<std::uint64_t>(now.f_flags) & wanted) != wanted) return kEinval;
  ++readback_.mounts_made;
  if ((now.f_flags & MOUNT_ATTR_NOEXEC) != 0) ++readback_.noexec_mounts;
  return open_to_landlock(op, mounted, kind);
}

// A second barrier behind the mount flags: Landlock allows writing, and in a run whose programs are
// listed execution, below these mounts only.
long NewRoot::open_to_landlock(const MountOp& op, int target, PathKind kind) const {
  constexpr std::uint64_t kRightsOfFiles = LANDLOCK_ACCESS_FS_EXECUTE |
                                           LANDLOCK_ACCESS_FS_WRITE_FILE |
                                           LANDLOCK_ACCESS_FS_READ_FILE | (3ULL << 14);
  std::uint64_t rights = op.device ? setup_.device_access : op.writable ? setup_.write_access : 0;
  if (op.exec == MountExec::execute) rights |= setup_.execute_access;
  if (landlock_ < 0 || rights == 0) return 0;
  return add_rule(target, kind == PathKind::directory ? rights : rights & kRightsOfFiles);
}

long NewRoot::add_rule(int target, std::uint64_t rights) const {
  const struct landlock_path_beneath_attr rule = {.allowed_access = rights, .parent_fd = target};
  return kernel(__NR_landlock_add_rule, landlock_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

// The statx by path chooses how to open the file. A copied file is checked after the open: it must
// be regular, and is read to its full size. A link is read by path. That is no risk: mirrored paths
// are the system's own, and only root can replace them between the calls.
long NewRoot::mirror(const MountOp& op) {
  const char* path = op.destination;
  if (op.device) return mirror_tree(op);
  struct statx found = {};
  const long error = kernel(__NR_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, kLooks, &found);
  if (error < 0) return error == kEnoent ? 0 : error;
  const std::uint32_t format = found.stx_mode & kFormatMask;
  if (format == kLinkFormat) return mirror_link(path);
  if (format == kFileFormat && found.stx_size < sizeof buffer_) {
    const Opened file(
        kernel(__NR_openat, AT_FDCWD, path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0));
    if (!file.failed()) return copy(op, file.get());
    if (file.error() != kEacces) return file.error();  // an unreadable file can still be bound
  }
  return mirror_tree(op);
}

long NewRoot::mirror_tree(const MountOp& op) {
  const Opened tree(kernel(__NR_open_tree, AT_FDCWD, op.destination,
                           kCloned | AT_RECURSIVE | AT_SYMLINK_NOFOLLOW));
  if (tree.error() == kEnoent) return 0;
  if (tree.failed()) return tree.error();
  struct statx found = {};
  if (const long error = look_at(tree.get(), found); error < 0) return error;
  return bind_tree(op, tree.get(), kind_of(found));
}

long NewRoot::mirror_link(const char* path) {
  const long length = kernel(__NR_readlinkat, AT_FDCWD, path, buffer_, sizeof buffer_);
  if (length < 0) return length;
  if (length == static_cast<long>(sizeof buffer_)) return kEloop;
  buffer_[length] = 0;
  return paths_.make_link(path, buffer_);
}

// A copy is cheaper than a mount for a configuration file of less than a page.
long NewRoot::copy(const MountOp& op, int source) {
  struct statx found = {};
  if (const long error = look_at(source, found); error < 0) return error;
  if ((found.stx_mode & kFormatMask) != kFileFormat) return kEstale;
  const Opened file(paths_.make_file(op.destination));
  if (file.failed()) return file.error();
  const long got = kernel(__NR_read, source, buffer_, sizeof buffer_);
  if (got < 0) return got;
  const long written = kernel(__NR_write, file.get(), buffer_, got);
  if (written != got) return written < 0 ? written : kEinval;
  return static_cast<std::uint64_t>(got) == found.stx_size ? 0 : kEstale;
}

// The directory is bind-mounted onto itself, so that it stays writable when the root around it
// becomes read-only.
long NewRoot::make_scratch(const MountOp& op) {
  const Opened tree(paths_.make_mount_of_itself(op.destination));
  if (tree.failed()) return tree.error();
  if (op.exec != MountExec::none)
    return read_back(op, tree.get(), PathKind::directory, kOwnAttributes);
  const long attributes = restrict_tree(tree.get(), op);
  if (attributes < 0) return attributes;
  return read_back(op, tree.get(), PathKind::directory,
                   kOwnAttributes | static_cast<std::uint64_t>(attributes));
}

long NewRoot::make_file(const MountOp& op) {
  const Opened file(paths_.make_file(op.destination));
  if (file.failed()) return file.error();
  long size = 0;
  while (op.content[size] != 0) ++size;
  const long written = kernel(__NR_write, file.get(), op.content, size);
  if (written < 0) return written;
  return written == size ? 0 : kEinval;
}

namespace {

// Read-only, because files in /proc/sys are writable by the host's root, and a command may run as
// that user.
constexpr unsigned kProcAttributes = kOwnAttributes | MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOEXEC;

}  // namespace

// In a container that masks parts of its /proc, the kernel refuses a new procfs with EPERM. Then
// the run has an empty /proc. The container's own /proc must not be shown instead: it lists the
// processes outside, with links to their roots.
long NewRoot::make_proc(const MountOp& op) {
  const Opened mounted(Context("proc").mount(kProcAttributes));
  if (reopened_) return mounted.failed() ? mounted.error() : replace_proc(op, mounted.get());
  readback_.fresh_proc = mounted.failed() ? static_cast<std::int32_t>(mounted.error()) : 1;
  if (mounted.error() == kEperm) return paths_.make_directory(op.destination);
  if (mounted.failed()) return mounted.error();
  return mount_at(op, mounted.get(), PathKind::directory, kProcAttributes);
}

// The kernel allows a new procfs only while a fully visible one is mounted. So fsmount() came
// first; now umount2() removes the old procfs with the mounts on it.
long NewRoot::replace_proc(const MountOp& op, int mounted) {
  const long left = kernel(__NR_umount2, op.destination, kDetach);
  return left < 0 ? left : mount_at(op, mounted, PathKind::directory, kProcAttributes);
}

long NewRoot::make_terminals(const MountOp& op) {
  constexpr unsigned kAttributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC;
  Context context("devpts");
  context.set("ptmxmode", "0666").set("mode", "0600");
  context.set("max", "256");  // all devpts mounts share kernel.pty.max, some thousands
  const Opened mounted(context.mount(kAttributes));
  if (mounted.failed()) return mounted.error();
  return mount_at(op, mounted.get(), PathKind::directory, kAttributes);
}

// A path that does not exist needs no cover.
long NewRoot::hide(const MountOp& op) {
  const Opened there(paths_.open(op.destination));
  if (there.error() == kEnoent) return 0;
  if (there.failed()) return there.error();
  struct statx found = {};
  if (const long error = look_at(there.get(), found); error < 0) return error;
  const PathKind kind = kind_of(found);
  constexpr std::uint64_t kAttributes = kOwnAttributes | MOUNT_ATTR_RDONLY;
  Opened cover(open_cover(kind, kAttributes));
  if (cover.failed()) return cover.error();
  if (const long error = restrict_tree(cover.get(), op); error < 0) return error;
  if (const long error = paths_.cover(there.get(), cover.get()); error < 0) return error;
  const long error = read_back(op, cover.get(), kind, kAttributes);
  if (kind == PathKind::directory && empty_ < 0) empty_ = cover.release();
  return error;
}

// A file in a directory whose other files may not be executed.
long NewRoot::permit(const MountOp& op) const {
  if (landlock_ < 0) return 0;
  const Opened there(paths_.open(op.destination));
  if (there.failed()) return there.error();
  struct statx found = {};
  if (const long error = look_at(there.get(), found); error < 0) return error;
  return is(found, op.source.identity) ? add_rule(there.get(), setup_.execute_access) : kEstale;
}

// A file is covered by /dev/null on a nodev mount: a device there cannot be opened. A directory is
// covered by an empty tmpfs; cloning the first one costs less than making another.
long NewRoot::open_cover(PathKind kind, std::uint64_t attributes) const {
  if (kind != PathKind::directory) return kernel(__NR_open_tree, AT_FDCWD, "/dev/null", kCloned);
  if (empty_ >= 0) return kernel(__NR_open_tree, empty_, "", kCloned | AT_EMPTY_PATH);
  return make_tmpfs("0555", 4096, static_cast<unsigned>(attributes));
}

namespace {

bool is_on_read_only_mount(int file) {
  constexpr std::uint64_t kWanted = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID;
  struct statfs64 now = {};
  return kernel(__NR_fstatfs, file, &now) >= 0 &&
         (static_cast<std::uint64_t>(now.f_flags) & kWanted) == kWanted;
}

}  // namespace

// open_tree clones the directory, because openat2 needs a directory and a name. The clone is
// recursive: in the mount namespace of another user namespace, mounts are locked (MNT_LOCKED), and
// the kernel refuses a clone without them (EINVAL).
long NewRoot::open_host_file(const StdioFile& file) const {
  const Opened directory(open_without_links(AT_FDCWD, file.directory, O_PATH | O_DIRECTORY, 0));
  if (directory.failed()) return directory.error();
  const Opened tree(
      kernel(__NR_open_tree, directory.get(), "", kCloned | AT_EMPTY_PATH | AT_RECURSIVE));
  if (tree.failed()) return tree.error();
  const MountExec exec = setup_.noexec_root ? MountExec::none : MountExec::execute;
  if (const long error = restrict_tree(tree.get(), {.exec = exec}); error < 0) return error;
  // O_NONBLOCK: if a FIFO has replaced the file, the open must not wait for a writer.
  const long opened =
      open_without_links(tree.get(), file.name, O_RDONLY | O_NONBLOCK | O_NOCTTY, RESOLVE_BENEATH);
  if (opened < 0) return opened;
  const long error = verify_host_file(static_cast<int>(opened), file);
  if (error >= 0) return opened;
  kernel(__NR_close, opened);
  return error;
}

long NewRoot::take_host_file(int opened, const StdioFile& file) const {
  const long error = verify_host_file(opened, file);
  return error < 0 ? error : opened;
}

// This file is outside the new root, so the root's Landlock rule does not cover it. Without its own
// rule the command could not open /dev/stdin.
long NewRoot::verify_host_file(int opened, const StdioFile& file) const {
  struct statx found = {};
  if (const long error = look_at(opened, found); error < 0) return error;
  if (!is(found, file.identity)) return kEstale;
  if (!is_on_read_only_mount(opened)) return kEinval;
  if (const long error = kernel(__NR_fcntl, opened, F_SETFL, 0); error < 0) return error;
  if (const long error = kernel(__NR_lseek, opened, file.position, 0); error < 0) return error;
  if (landlock_ < 0) return 0;
  return add_rule(opened, LANDLOCK_ACCESS_FS_READ_FILE);
}

// The root is finished and becomes read-only. Writable directories are separate mounts and stay
// writable.
long NewRoot::seal() const {
  struct mount_attr attributes = {};
  attributes.attr_set = kOwnAttributes | MOUNT_ATTR_RDONLY;
  if (setup_.noexec_root) attributes.attr_set |= MOUNT_ATTR_NOEXEC;
  attributes.propagation = kPrivate;
  const long sealed =
      kernel(__NR_mount_setattr, root_, "", AT_EMPTY_PATH, &attributes, sizeof attributes);
  if (sealed < 0 || landlock_ < 0) return sealed;
  return add_rule(root_, setup_.read_access);
}

// pivot_root(".", ".") stacks the old root on top of the new one, and umount2(".") removes it from
// there. No directory for the old root is needed.
RootFailure NewRoot::enter(std::uint64_t* step_times) {
  if (const long error = seal(); error < 0) return {Step::make_root, error};
  if (const long error = kernel(__NR_fchdir, root_); error < 0) return {Step::change_root, error};
  if (const long error = kernel(__NR_pivot_root, ".", "."); error < 0)
    return {Step::change_root, error};
  record_time(step_times, Step::change_root);
  if (const long error = kernel(__NR_umount2, ".", kDetach); error < 0)
    return {Step::leave_old_root, error};
  if (const long error = kernel(__NR_chdir, "/"); error < 0) return {Step::leave_old_root, error};
  const long error = read_root_back();
  kernel(__NR_close, root_);
  if (empty_ >= 0) kernel(__NR_close, empty_);
  record_time(step_times, Step::leave_old_root);
  return {Step::leave_old_root, error};
}

long NewRoot::read_root_back() const {
  // "/.." instead of "/": it crosses into a mount that is still stacked on the root, and would show
  // it.
  const Opened root(kernel(__NR_openat, AT_FDCWD, "/..", O_PATH | O_DIRECTORY | O_CLOEXEC, 0));
  if (root.failed()) return root.error();
  struct statx found = {};
  if (const long error = look_at(root.get(), found); error < 0) return error;
  struct statfs64 now = {};
  if (const long error = kernel(__NR_fstatfs, root.get(), &now); error < 0) return error;
  readback_.root_flags = static_cast<std::uint32_t>(now.f_flags);
  const std::uint64_t wanted =
      MOUNT_ATTR_RDONLY | (setup_.noexec_root ? std::uint64_t{MOUNT_ATTR_NOEXEC} : 0);
  const bool ours = paths_.is_own(device_of(found)) &&
                    (static_cast<std::uint64_t>(now.f_flags) & wanted) == wanted;
  return ours ? 0 : kEinval;
}

long open_device(const StdioFile& file) {
  const Opened directory(open_without_links(AT_FDCWD, file.directory, O_PATH | O_DIRECTORY, 0));
  if (directory.failed()) return directory.error();
  const long opened =
      open_without_links(directory.get(), file.name, file.access | O_NOCTTY, RESOLVE_BENEATH);
  if (opened < 0) return opened;
  struct statx found = {};
  const long error = look_at(static_cast<int>(opened), found);
  const bool is_meant = error >= 0 && (found.stx_mode & kFormatMask) == kDeviceFormat &&
                        number_of(found) == file.identity.device &&
                        is_on_read_only_mount(static_cast<int>(opened));
  if (is_meant) return opened;
  kernel(__NR_close, opened);
  return error < 0 ? error : kEstale;
}

long open_known(const KnownFileOf<Pointers>& file, int flags) {
  const long opened = open_without_links(AT_FDCWD, file.path, static_cast<std::uint64_t>(flags), 0);
  if (opened < 0) return opened;
  struct statx found = {};
  const long error = look_at(static_cast<int>(opened), found);
  if (error >= 0 && is(found, file.identity)) return opened;
  kernel(__NR_close, opened);
  return error < 0 ? error : kEstale;
}

}  // namespace bawn::init
