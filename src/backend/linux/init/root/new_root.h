// The root of a run in namespaces. It is built mount by mount on top of the old root and then
// becomes "/" by pivot_root.
//
// All mounts go through file descriptors. A source is opened once, without following symbolic
// links, and must be the file that bawn checked. A destination is resolved inside the new root
// only. Nothing is created on the host, not even a mount point. The flags of a mount are set before
// it is attached and read back afterwards.
//
// After a failure the mount namespace is half built. It is private to init, so init only has to
// exit.
#pragma once

#include <cstddef>

#include "backend/linux/init/root/root_paths.h"
#include "backend/linux/wire/decode.h"

namespace bawn::init {

struct RootFailure {
  Step step;
  long error;  // a negative errno; 0 or more: success
};

class NewRoot {
 public:
  // All arguments are borrowed. `landlock` is a ruleset or -1; it gets a rule for every writable
  // mount, every device mount, what may be executed, a host file as stdin, and the root itself.
  // make() attaches and closes `trees`, which came with the exec message; null if there is none.
  NewRoot(const Setup& setup, int landlock, Readback& readback, const int* trees)
      : setup_(setup), landlock_(landlock), readback_(readback), trees_(trees) {}

  // Call these in this order. Each returns 0 or a negative errno. First: mounts the run's tmpfs.
  [[nodiscard]] long begin();
  [[nodiscard]] long make(const MountOp& op);
  // Opens a host file for the command's stdin through a read-only clone of its mount: through this
  // file the command can reach nothing but the content. Returns the open file, owned by the caller.
  [[nodiscard]] long open_host_file(const StdioFile& file) const;
  // The same for one that bawn has opened so. Returns `opened`.
  [[nodiscard]] long take_host_file(int opened, const StdioFile& file) const;
  // Last: makes the root read-only, moves this process into it and unmounts the old root. On
  // success no host path outside the mounts can be reached, and "/" has been read back.
  [[nodiscard]] RootFailure enter(std::uint64_t* step_times);

  // Instead of begin(), for a process that is already in a finished root: afterwards make() can
  // replace the mounts at and below /proc. 0 or a negative errno.
  [[nodiscard]] long reopen();

 private:
  [[nodiscard]] long bind(const MountOp& op);
  [[nodiscard]] long bind_sent(const MountOp& op);
  [[nodiscard]] long bind_opened(const MountOp& op, int source, PathKind kind);
  [[nodiscard]] long bind_tree(const MountOp& op, int tree, PathKind kind);
  [[nodiscard]] long mount_at(const MountOp& op, int mounted, PathKind kind,
                              std::uint64_t attributes);
  [[nodiscard]] long read_back(const MountOp& op, int mounted, PathKind kind,
                               std::uint64_t attributes);
  [[nodiscard]] long open_to_landlock(const MountOp& op, int target, PathKind kind) const;
  [[nodiscard]] long add_rule(int target, std::uint64_t rights) const;
  [[nodiscard]] long verify_host_file(int opened, const StdioFile& file) const;
  [[nodiscard]] long mirror(const MountOp& op);
  [[nodiscard]] long mirror_tree(const MountOp& op);
  [[nodiscard]] long mirror_link(const char* path);
  [[nodiscard]] long copy(const MountOp& op, int source);
  [[nodiscard]] long make_scratch(const MountOp& op);
  [[nodiscard]] long make_file(const MountOp& op);
  [[nodiscard]] long make_proc(const MountOp& op);
  [[nodiscard]] long replace_proc(const MountOp& op, int mounted);
  [[nodiscard]] long make_terminals(const MountOp& op);
  [[nodiscard]] long hide(const MountOp& op);
  [[nodiscard]] long permit(const MountOp& op) const;
  [[nodiscard]] long open_cover(PathKind kind, std::uint64_t attributes) const;
  [[nodiscard]] long seal() const;
  [[nodiscard]] long read_root_back() const;

  const Setup& setup_;
  int landlock_;
  Readback& readback_;
  const int* trees_;
  RootPaths paths_;
  int root_ = -1;
  int empty_ = -1;  // the mount over the first hidden directory; clones of it cover the others
  bool reopened_ = false;
  char buffer_[4096];  // the target of a link, or the content of a small file
};

// Opens a file in the current root, without following symbolic links. Returns an owned file, or a
// negative errno: ESTALE if it is not the file with this identity. An inode of 0 accepts
// any file.
[[nodiscard]] long open_known(const KnownFileOf<Pointers>& file, int flags);

// Opens a character device in the current root, for the command's stdio. Returns an owned file, or
// a negative errno: ESTALE if it is another device or its mount is not read-only. All devices in a
// run's root are on read-only mounts, which protects their mode and owner but does not limit
// writing to the device.
[[nodiscard]] long open_device(const StdioFile& file);

}  // namespace bawn::init
