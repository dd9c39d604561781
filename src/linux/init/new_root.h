// The file system of a run in namespaces: built mount by mount beside the old root, then taken for
// "/".
//
// Everything is placed through open files: a source is opened once without following links and must
// be the file that bawn judged; a destination is walked inside the new root only. Nothing is
// created on the host, not even a place to mount something on. Every mount's flags are set before
// it appears and read back afterwards.
#pragma once

#include <cstddef>

#include "linux/init/messages.h"
#include "linux/init/root_paths.h"

namespace bawn::init {

struct RootFailure {
  Step step;
  long error;  // 0: all went well
};

class NewRoot {
 public:
  // `landlock` is a ruleset that gets a rule for every writable mount; -1 if there is none. All of
  // it is borrowed.
  NewRoot(const SetupMessage& setup, int landlock, Readback& readback)
      : setup_(setup), landlock_(landlock), readback_(readback) {}

  // In this order; each returns 0 or a negative errno.
  [[nodiscard]] long begin();
  [[nodiscard]] long make(const MountOp& op, const void* message);  // which has the op's strings
  // A file of the host for the command's stdio, opened through a read-only clone of its mount:
  // nothing but its content can be reached by it. Before enter(). Returns the file.
  [[nodiscard]] long open_host_file(const StdioFile& file, const void* message) const;
  [[nodiscard]] RootFailure enter(std::uint64_t* step_times);

  // In another NewRoot, for a process that lives in the finished one: mounts below /proc can be
  // made anew then. 0 or a negative errno.
  [[nodiscard]] long reopen();

 private:
  [[nodiscard]] long bind(const MountOp& op);
  [[nodiscard]] long bind_opened(const MountOp& op, int source, PathKind kind);
  [[nodiscard]] long bind_tree(const MountOp& op, int tree, PathKind kind);
  [[nodiscard]] long mount_at(const MountOp& op, int mounted, PathKind kind,
                              std::uint64_t attributes);
  [[nodiscard]] long read_back(const MountOp& op, int mounted, PathKind kind,
                               std::uint64_t attributes);
  [[nodiscard]] long allow_writing(const MountOp& op, int target, PathKind kind) const;
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
  [[nodiscard]] long open_cover(PathKind kind, std::uint64_t attributes) const;
  [[nodiscard]] long seal() const;
  [[nodiscard]] long read_root_back() const;

  [[nodiscard]] const char* string(std::uint32_t offset) const { return message_ + offset; }

  const SetupMessage& setup_;
  int landlock_;
  Readback& readback_;
  RootPaths paths_;
  int root_ = -1;
  int empty_ = -1;  // the cover of the first directory that was hidden
  bool reopened_ = false;
  const char* message_ = nullptr;  // of the op that is being made
  char buffer_[4096];              // the longest link, or a small file
};

// Opens an absolute path of the root this process is in now. It must be the given file, unless the
// identity is zero.
[[nodiscard]] long open_known(const char* path, const FileIdentity& identity, int flags);

// Opens a device of the root this process is in now, for the command's stdio. Its mount is
// read-only, as that of every device in a run's root.
[[nodiscard]] long open_device(const StdioFile& file, const void* message);

}  // namespace bawn::init
