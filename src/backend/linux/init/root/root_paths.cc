#include "backend/linux/init/root/root_paths.h"

#include <linux/mount.h>

#include "backend/linux/init/opened.h"

namespace bawn::init {
namespace {

const char* last_name(const char* path) {
  const char* name = path;
  for (; *path != 0; ++path) {
    if (*path == '/') name = path + 1;
  }
  return name;
}

// Bind-mounts `name` below `directory` onto itself, or `directory` itself if the name is empty.
// Returns the mount.
long mount_on_itself(int directory, const char* name) {
  const unsigned how = name[0] == 0 ? AT_EMPTY_PATH : AT_SYMLINK_NOFOLLOW;
  const long tree = kernel(__NR_open_tree, directory, name, kCloned | how);
  if (tree < 0) return tree;
  const long error = attach(static_cast<int>(tree), directory, name);
  if (error >= 0) return tree;
  kernel(__NR_close, tree);
  return error;
}

}  // namespace

long attach(int mounted, int directory, const char* path) {
  const unsigned flags = MOVE_MOUNT_F_EMPTY_PATH |
                         (path[0] == 0 ? static_cast<unsigned>(MOVE_MOUNT_T_EMPTY_PATH) : 0U);
  return kernel(__NR_move_mount, mounted, "", directory, path, flags);
}

long RootPaths::begin(int root) {
  root_ = root;
  struct statx found = {};
  const long error = look_at(root_, found);
  own_device_ = device_of(found);
  return error;
}

long RootPaths::open(const char* path) const {
  while (*path == '/') ++path;
  return open_without_links(root_, *path == 0 ? "." : path, O_PATH, RESOLVE_BENEATH);
}

long RootPaths::make_directory(const char* path) {
  if (const long error = enter_parent(path); error < 0) return error;
  if (parent_is_own_) {
    const long made = make_empty(last_name(path), PathKind::directory);
    if (made != kEexist) return made;
  }
  const Opened there(open_without_links(parent_, last_name(path), O_PATH, RESOLVE_BENEATH));
  return there.failed() ? there.error() : 0;
}

// A mount point that was just made is known to be no link, so it can be used by name. One that
// existed before is opened first without following links.
long RootPaths::mount(const char* path, PathKind kind, int mounted) {
  if (const long error = enter_parent(path); error < 0) return error;
  const char* name = last_name(path);
  if (parent_is_own_) {
    const long made = make_empty(name, kind);
    if (made >= 0) return attach(mounted, parent_, name);
    if (made != kEexist) return made;
  }
  const Opened there(open_without_links(parent_, name, O_PATH, RESOLVE_BENEATH));
  return there.failed() ? there.error() : attach(mounted, there.get(), "");
}

// As in mount(), only a directory that existed before is opened first.
long RootPaths::make_mount_of_itself(const char* path) {
  if (const long error = enter_parent(path); error < 0) return error;
  const char* name = last_name(path);
  if (parent_is_own_) {
    const long made = make_empty(name, PathKind::directory);
    if (made >= 0) return mount_on_itself(parent_, name);
    if (made != kEexist) return made;
  }
  const Opened there(open_without_links(parent_, name, O_PATH, RESOLVE_BENEATH));
  return there.failed() ? there.error() : mount_on_itself(there.get(), "");
}

// The cached parent may lie below `target` and would then be covered.
long RootPaths::cover(int target, int mounted) {
  leave_parent();
  return attach(mounted, target, "");
}

void RootPaths::leave_parent() {
  if (parent_ >= 0 && parent_ != root_) kernel(__NR_close, parent_);
  parent_ = -1;
}

long RootPaths::make_link(const char* path, const char* target) {
  if (const long error = enter_parent(path); error < 0) return error;
  if (!parent_is_own_) return kEnoent;
  return kernel(__NR_symlinkat, target, parent_, last_name(path));
}

long RootPaths::make_file(const char* path) {
  if (const long error = enter_parent(path); error < 0) return error;
  if (!parent_is_own_) return kEnoent;
  return kernel(__NR_openat, parent_, last_name(path),
                O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
}

long RootPaths::make_empty(const char* name, PathKind kind) const {
  return kind == PathKind::directory ? kernel(__NR_mkdirat, parent_, name, 0755)
                                     : kernel(__NR_mknodat, parent_, name, kFileFormat | 0444, 0);
}

// Opens the parent directory of the path. Missing directories on the way are made.
long RootPaths::enter_parent(const char* path) {
  const auto length = static_cast<std::size_t>(last_name(path) - path);
  if (is_entered(path, length)) return 0;
  leave_parent();
  parent_path_ = path;
  parent_length_ = length;
  const long entered = walk_to_parent(path);
  if (entered < 0) return entered;
  parent_ = static_cast<int>(entered);
  parent_is_own_ = made_ || parent_ == root_ || lies_in_own(parent_);
  return 0;
}

bool RootPaths::is_entered(const char* path, std::size_t length) const {
  if (parent_ < 0 || length != parent_length_) return false;
  for (std::size_t i = 0; i < length; ++i) {
    if (path[i] != parent_path_[i]) return false;
  }
  return true;
}

long RootPaths::walk_to_parent(const char* path) {
  made_ = false;
  int at = root_;
  for (;;) {
    while (*path == '/') ++path;
    const char* end = path;
    while (*end != 0 && *end != '/') ++end;
    if (*end == 0) return at;
    char name[256];
    const auto length = static_cast<std::size_t>(end - path);
    if (length >= sizeof name) return kEinval;
    for (std::size_t i = 0; i < length; ++i) name[i] = path[i];
    name[length] = 0;
    const long below = enter(at, name);
    if (at != root_) kernel(__NR_close, at);
    if (below < 0) return below;
    at = static_cast<int>(below);
    path = end;
  }
}

// Opens one directory below `above`, and makes it if it is missing. Once one was made, all further
// ones must be missing too.
long RootPaths::enter(int above, const char* name) {
  const long entered =
      made_ ? kEnoent : open_without_links(above, name, O_PATH | O_DIRECTORY, RESOLVE_BENEATH);
  if (entered != kEnoent) return entered;
  if (!made_ && !lies_in_own(above)) return kEnoent;
  if (const long error = kernel(__NR_mkdirat, above, name, 0755); error < 0) return error;
  made_ = true;
  return kernel(__NR_openat, above, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
}

bool RootPaths::lies_in_own(int directory) const {
  struct statx found = {};
  return look_at(directory, found) >= 0 && is_own(device_of(found));
}

}  // namespace bawn::init
