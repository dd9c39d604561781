// Resolves and creates paths in the new root.
//
// The walk starts at the top of the root and follows no symbolic link, so it cannot leave the root.
// Files and directories are created only in the run's own tmpfs. If a path is missing inside a
// mount of host files, the result is ENOENT: nothing is ever created on the host. Single-threaded.
#pragma once

#include <fcntl.h>
#include <linux/mount.h>

#include <cstddef>
#include <cstdint>

namespace bawn::init {

enum class PathKind { directory, file };

// All functions return 0 or a negative errno; those that return a file say so, and the caller owns
// it. Paths are absolute. They are borrowed and must stay valid as long as this object, because the
// last parent's path is kept for comparison. After a failure, directories that were made on the way
// stay.
class RootPaths {
 public:
  // `root` is borrowed: the top of the run's tmpfs. Call this first.
  [[nodiscard]] long begin(int root);

  // Whether this is the device of the run's tmpfs.
  [[nodiscard]] bool is_own(std::uint64_t device) const { return device == own_device_; }

  // Opens an existing path of any kind with O_PATH. Returns the file.
  [[nodiscard]] long open(const char* path) const;

  // Makes an empty directory if nothing exists at the path. An existing file of any kind, but no
  // symbolic link, is accepted too.
  [[nodiscard]] long make_directory(const char* path);

  // Attaches the detached mount `mounted`, which is borrowed, at the path. If the mount point is
  // missing and would lie in the run's tmpfs, it is made: an empty directory or file, as `kind`
  // says.
  [[nodiscard]] long mount(const char* path, PathKind kind, int mounted);

  // Makes a directory if nothing exists at the path, and bind-mounts it onto itself. Returns the
  // mount.
  [[nodiscard]] long make_mount_of_itself(const char* path);

  // Attaches a detached mount on a file that open() returned. Both are borrowed.
  [[nodiscard]] long cover(int target, int mounted);

  // Both fail with EEXIST if the path exists. make_file() returns the new file, open for writing.
  [[nodiscard]] long make_link(const char* path, const char* target);
  [[nodiscard]] long make_file(const char* path);

 private:
  [[nodiscard]] long enter_parent(const char* path);
  [[nodiscard]] bool is_entered(const char* path, std::size_t length) const;
  [[nodiscard]] long walk_to_parent(const char* path);
  [[nodiscard]] long enter(int above, const char* name);
  [[nodiscard]] bool lies_in_own(int directory) const;
  void leave_parent();
  [[nodiscard]] long make_empty(const char* name, PathKind kind) const;

  int root_ = -1;
  std::uint64_t own_device_ = 0;
  // A cache of one entry: the directory that was entered last. Consecutive MountOps often share
  // their parent. The entry cannot become stale: a mount on this directory, or on one above it, has
  // another parent and so replaces the entry, and cover() drops it.
  int parent_ = -1;
  bool parent_is_own_ = false;
  bool made_ = false;                  // the last directory on the walk was just created
  const char* parent_path_ = nullptr;  // parent_length_ characters, with the last slash
  std::size_t parent_length_ = 0;
};

constexpr unsigned kCloned = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;

// Attaches a detached mount at `path` below `directory`, or on `directory` itself if the path is
// empty. Both descriptors are borrowed. 0 or a negative errno.
[[nodiscard]] long attach(int mounted, int directory, const char* path);

}  // namespace bawn::init
