// Paths in the new root, found and made by walking from its top. No link is followed, and nothing
// is ever created outside the run's own file system: where that would be needed, the place does not
// exist.
#pragma once

#include <fcntl.h>
#include <linux/mount.h>

#include <cstddef>
#include <cstdint>

namespace bawn::init {

enum class PathKind { directory, file };

// All functions return 0, or a file, or a negative errno. Paths are absolute, and stay where they
// are while this lives.
class RootPaths {
 public:
  // `root` is borrowed: the top of the run's own file system.
  [[nodiscard]] long begin(int root);

  [[nodiscard]] bool is_own(std::uint64_t device) const { return device == own_device_; }

  // Opens whatever is there.
  [[nodiscard]] long open(const char* path) const;

  // Makes an empty directory if nothing is there.
  [[nodiscard]] long make_directory(const char* path);

  // Mounts on the place, which is made if it would lie in the run's own file system.
  [[nodiscard]] long mount(const char* path, PathKind kind, int mounted);

  // Makes a directory if nothing is there, and a mount of it, which covers it. Returns the mount.
  [[nodiscard]] long make_mount_of_itself(const char* path);

  // Mounts on what open() has opened.
  [[nodiscard]] long cover(int target, int mounted);

  // Both fail if something is there. The file is open for writing.
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
  // The directory that was entered last. Neighbours follow one another, and whatever is mounted on
  // a directory, or above it, has another parent and drops it.
  int parent_ = -1;
  bool parent_is_own_ = false;
  bool made_ = false;                  // the last directory on the walk is new
  const char* parent_path_ = nullptr;  // of this many characters, with the last slash
  std::size_t parent_length_ = 0;
};

constexpr unsigned kCloned = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC;

// Puts a mount that is nowhere yet on what `path` names below `directory`, or on that itself if the
// path is empty.
[[nodiscard]] long attach(int mounted, int directory, const char* path);

}  // namespace bawn::init
