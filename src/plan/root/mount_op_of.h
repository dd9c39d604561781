// One operation that builds the root of a tier c run: the one definition of it, from the plan to
// init.
//
// The fields are the same everywhere; only the form of a string and of a host file differs. The
// plan owns std::strings (mount_op.h), a message has offsets and init has pointers
// (backend/linux/wire/messages.h). Init has no library, so this header needs only <cstdint>.
//
// The new root is built by these operations in order. A later one may lie inside an earlier one.
// Init creates files and directories only in the run's own tmpfs. Inside a mount that shows host
// files it creates nothing: a mount point there must already exist on the host.
#pragma once

#include <cstdint>

namespace bawn {

enum class MountOpKind : std::uint32_t {
  // Bind mount of the host file or directory `source`, with all mounts below it. Init refuses
  // another file than the one that bawn checked.
  bind,
  // The host's file at the same path. A symbolic link is made again as a link; a readable regular
  // file smaller than 4096 bytes is copied; anything else, and everything with `device`, is
  // bind-mounted. If the path does not exist on the host, this does nothing.
  mirror,
  directory,  // an empty directory in the run's tmpfs
  scratch,    // the same, writable
  link,       // a symbolic link to `content`
  file,       // a file that holds `content`
  proc,       // a new procfs for init's pid namespace
  terminals,  // a new devpts
  // Covers an existing path: a directory with an empty one, a file with one that cannot be opened.
  // If the path does not exist, this does nothing.
  hidden,
  // Mounts nothing: the existing file or directory `source` at the destination may be executed.
  // Init refuses another file than the one that bawn checked.
  program,
};
inline constexpr MountOpKind kLastMountOpKind = MountOpKind::program;

constexpr bool has_source(MountOpKind kind) {
  return kind == MountOpKind::bind || kind == MountOpKind::program;
}

// What may be done with files on a mount, in a run whose programs are listed. In other runs every
// mount has `execute`.
enum class MountExec : std::uint8_t {
  execute,  // execute and map them; Landlock gets a rule for it
  map,      // map them as code: libraries. execve needs a rule of Landlock's, and there is none
  none,     // neither (MOUNT_ATTR_NOEXEC)
};
inline constexpr MountExec kLastMountExec = MountExec::none;

// True for the kinds that make a mount.
constexpr bool can_have_exec(MountOpKind kind) {
  switch (kind) {
    case MountOpKind::bind:
    case MountOpKind::mirror:
    case MountOpKind::scratch:
    case MountOpKind::proc:
    case MountOpKind::terminals:
    case MountOpKind::hidden:
      return true;
    case MountOpKind::directory:
    case MountOpKind::link:
    case MountOpKind::file:
    case MountOpKind::program:
      return false;
  }
  return false;
}

// More files do not fit into one datagram (SCM_MAX_FD is 253).
inline constexpr std::uint32_t kMostTrees = 200;

constexpr bool has_content(MountOpKind kind) {
  return kind == MountOpKind::link || kind == MountOpKind::file;
}

// Members that a kind does not use stay at their defaults.
template <class Text, class File>
struct MountOpOf {
  MountOpKind kind = MountOpKind::directory;
  bool writable = false;
  bool device = false;  // device nodes on this mount may be opened (no MOUNT_ATTR_NODEV)
  MountExec exec = MountExec::execute;
  // Of a bind: the number of the tree that bawn sends for it, from 1 up. 0: init opens the source.
  std::uint8_t tree = 0;
  Text destination{};  // guest path, absolute
  Text content{};      // content of a file, or target of a link
  File source{};       // of a bind, and of a program
};

}  // namespace bawn
