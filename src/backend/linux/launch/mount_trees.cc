#include "backend/linux/launch/mount_trees.h"

#include <fcntl.h>
#include <linux/mount.h>
#include <linux/openat2.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <string>

#include "backend/linux/lookup/path_lookup.h"
#include "base/text.h"
#include "host/setup_error.h"
#include "sys/call.h"

namespace bawn::linux_ {
namespace {

Result<Fd> clone_tree(int source) {
  constexpr unsigned kHow =
      OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | static_cast<unsigned>(AT_EMPTY_PATH | AT_RECURSIVE);
  BAWN_ASSIGN(const long tree,
              sys::checked("open_tree", [&] { return syscall(SYS_open_tree, source, "", kHow); }));
  return Fd(static_cast<int>(tree));
}

Result<long> set_attributes(int tree, const mount_attr& attributes) {
  return sys::checked("mount_setattr", [&] {
    return syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH | AT_RECURSIVE, &attributes,
                   sizeof attributes);
  });
}

Result<FileOwner> owner_of(int fd) {
  struct stat found {};
  BAWN_TRY(sys::checked("fstat", [&] { return fstat(fd, &found); }));
  return FileOwner{found.st_uid, found.st_gid};
}

Result<Fd> open_below(int directory, const std::string& name, std::uint64_t flags,
                      std::uint64_t resolve) {
  open_how how{};
  how.flags = flags | O_CLOEXEC;
  how.resolve = resolve | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  BAWN_ASSIGN(const long opened, sys::checked("openat2", [&] {
                return syscall(SYS_openat2, directory, name.c_str(), &how, sizeof how);
              }));
  return Fd(static_cast<int>(opened));
}

}  // namespace

Result<void> MountTrees::make(const RootPlan& root) {
  for (const MountOp& op : root.mounts) {
    if (op.tree == 0) continue;
    auto tree = make_tree(op);
    if (!tree) return tree.error().within(concat("mount ", quote(op.source.path)));
    files_.push_back(std::move(tree).value());
  }
  return {};
}

Result<Fd> MountTrees::make_tree(const MountOp& op) {
  const int source = fd_of(op.source);
  BAWN_ASSIGN(Fd tree, clone_tree(source));
  BAWN_TRY(restrict_tree(tree.get(), op));
  if (!maps_ids()) return tree;
  BAWN_TRY(map_ids(tree.get(), op.owner));
  BAWN_TRY(verify_owner(source, tree.get(), op.owner));
  return tree;
}

Result<void> MountTrees::restrict_tree(int tree, const MountOp& op) {
  mount_attr attributes{};
  attributes.attr_set =
      MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | (op.writable ? 0U : MOUNT_ATTR_RDONLY);
  attributes.propagation = MS_PRIVATE;
  BAWN_TRY(set_attributes(tree, attributes));
  return {};
}

Result<void> MountTrees::map_ids(int tree, const FileOwner& owner) {
  BAWN_ASSIGN(const int map, map_for(owner));
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_IDMAP;
  attributes.userns_fd = static_cast<__u64>(map);
  const auto set = set_attributes(tree, attributes);
  if (set) return {};
  return judged(set.error(), judge_idmap(set.error().sys_errno)).within("idmap");
}

// What the kernel shows now, beside what it shows through the host's own mount.
Result<void> MountTrees::verify_owner(int source, int tree, const FileOwner& owner) const {
  BAWN_ASSIGN(const FileOwner on_host, owner_of(source));
  BAWN_ASSIGN(const FileOwner seen, owner_of(tree));
  const FileOwner wanted = {on_host.uid == owner.uid ? user_.host_uid : on_host.uid,
                            on_host.gid == owner.gid ? user_.host_gid : on_host.gid};
  if (seen == wanted) return {};
  return Error{.message = concat("the idmapped mount shows the owner ", seen.uid, ":", seen.gid,
                                 " and should show ", wanted.uid, ":", wanted.gid)};
}

Result<int> MountTrees::map_for(const FileOwner& owner) {
  const auto known = maps_.find(owner);
  if (known != maps_.end()) return known->second.fd();
  BAWN_ASSIGN(MountIdMap map, MountIdMap::make(owner, host_user()));
  return maps_.emplace(owner, std::move(map)).first->second.fd();
}

// A file system that cannot be idmapped is no obstacle here: the file is open already, and only
// opening /dev/stdin again depends on its owner. O_NONBLOCK: if a FIFO has replaced the file, the
// open must not wait for a writer. Init checks that it is the caller's file.
Result<Fd> MountTrees::open_input(const StdioFacts& file) {
  BAWN_ASSIGN(const Fd directory, open_below(AT_FDCWD, file.directory, O_PATH | O_DIRECTORY, 0));
  BAWN_ASSIGN(const Fd tree, clone_tree(directory.get()));
  BAWN_TRY(restrict_tree(tree.get(), {}));
  if (maps_ids()) {
    BAWN_ASSIGN(const Fd found, open_below(tree.get(), file.name, O_PATH, RESOLVE_BENEATH));
    BAWN_ASSIGN(const FileOwner owner, owner_of(found.get()));
    const auto mapped = map_ids(tree.get(), owner);
    if (!mapped && mapped.error().kind != ErrorKind::unsupported) return mapped.error();
  }
  return open_below(tree.get(), file.name, O_RDONLY | O_NONBLOCK | O_NOCTTY, RESOLVE_BENEATH);
}

}  // namespace bawn::linux_
