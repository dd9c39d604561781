// The host's files for a run that root starts: bawn opens them, because the command's user, which
// owns nothing, could not reach them.
//
// A tree is a detached copy of a host mount, with the mounts below it. It is made from the checked
// file, never from its path again, and has all its restrictions before init gets it. If the run has
// a host id of the policy's range, it is idmapped too, which is read back. Nothing on the host
// changes. Linux; one thread at a time.
#pragma once

#include <map>
#include <vector>

#include "backend/linux/spawn/mount_id_map.h"
#include "base/result.h"
#include "plan/plan.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class MountTrees {
 public:
  explicit MountTrees(const RunUser& user) : user_(user) {}

  // One tree for each mount of the plan that has a number, in that order. ErrorKind::unsupported if
  // this host cannot idmap one of them.
  [[nodiscard]] Result<void> make(const RootPlan& root);
  [[nodiscard]] const std::vector<Fd>& files() const { return files_; }

  // Opens the caller's stdin again, through a read-only tree of its directory: by this file the
  // command can reach nothing but the content.
  [[nodiscard]] Result<Fd> open_input(const StdioFacts& file);

 private:
  [[nodiscard]] Result<Fd> make_tree(const MountOp& op);
  [[nodiscard]] Result<void> restrict_tree(int tree, const MountOp& op);
  [[nodiscard]] Result<void> map_ids(int tree, const FileOwner& owner);
  [[nodiscard]] Result<void> verify_owner(int source, int tree, const FileOwner& owner) const;
  [[nodiscard]] Result<int> map_for(const FileOwner& owner);
  [[nodiscard]] bool maps_ids() const { return user_.origin == HostIdOrigin::range; }
  [[nodiscard]] FileOwner host_user() const { return {user_.host_uid, user_.host_gid}; }

  const RunUser& user_;
  std::map<FileOwner, MountIdMap> maps_;
  std::vector<Fd> files_;
};

}  // namespace bawn::linux_
