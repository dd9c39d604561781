// Finds the directories in which this process may make cgroups for its runs. It only reads; nothing
// is created or changed.
//
// v2: the caller's cgroup, or the nearest ancestor, in which we may make children that have the
// wanted controllers. A cgroup that holds processes cannot enable controllers for its children, so
// the place is usually an ancestor: in a systemd session the caller is in a leaf of its delegated
// tree. v1: the caller's cgroup in the hierarchy of each wanted controller. In practice only root
// may do that.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bawn {

enum class CgroupVersion { v1, v2 };
enum class CgroupController { memory, pids, cpu };

// The kernel's name: "memory".
[[nodiscard]] std::string_view to_string(CgroupController controller);

using CgroupControllers = std::vector<CgroupController>;

[[nodiscard]] inline bool holds(const CgroupControllers& controllers, CgroupController one) {
  return std::ranges::find(controllers, one) != controllers.end();
}

// A directory in which cgroups of runs are made. v2 has one; v1 has one for each controller.
struct CgroupParent {
  std::string directory;
  CgroupControllers controllers;  // available to its children
  CgroupControllers to_enable;    // those that must be written to cgroup.subtree_control first (v2)
};

// Where a run's cgroup goes. A value: the directories may have changed since they were looked at,
// so making a cgroup there can still fail.
struct CgroupPlace {
  CgroupVersion version = CgroupVersion::v2;
  std::vector<CgroupParent> parents;
};

enum class CgroupFileSystem { none, v1, v2 };

// The host as find_cgroup_place() sees it. Tests point it at a tree of plain files.
struct CgroupView {
  std::string mount = "/sys/fs/cgroup";
  std::string own_cgroups = "/proc/self/cgroup";
  std::function<CgroupFileSystem(const std::string& directory)> file_system;
  std::function<int(const std::string& path)>
      // The errno of writing to `path`; 0 if it is allowed.
      write_problem;

  // The running kernel's cgroup file system.
  [[nodiscard]] static CgroupView of_this_process();
};

// Returns a place whose children can have every wanted controller. The error names each directory
// that was examined and what it lacks. If `wanted` is empty, v2 only needs a place that accounts
// for usage. `chosen_parent` is a directory that the caller insists on; in v1 it names the
// directory in one hierarchy, and the same path is used in the others.
[[nodiscard]] Result<CgroupPlace> find_cgroup_place(
    const CgroupView& view, const CgroupControllers& wanted,
    const std::optional<std::string>& chosen_parent);

// Cgroup directories whose memory limits apply, each the parent of the one before it, up to the
// mount.
struct MemoryCgroups {
  CgroupVersion version = CgroupVersion::v2;
  std::vector<std::string> directories;
};

// Starts at the caller's cgroup. Empty if that cannot be found. Some directories may not exist: in
// a container perhaps only the last one does.
[[nodiscard]] MemoryCgroups find_memory_cgroups(const CgroupView& view);

// Starts at `directory`, which lies below the mount.
[[nodiscard]] MemoryCgroups memory_cgroups_from(const CgroupView& view, CgroupVersion version,
                                                std::string directory);

}  // namespace bawn
