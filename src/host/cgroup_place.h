// Where this process may make cgroups for its runs, found by looking; nothing here is changed.
//
// v2: the cgroup of the caller, or the nearest one above it, whose owner lets us make children that
// have the wanted controllers. A cgroup that holds processes cannot give controllers to its
// children, so it is usually one of those above: in a session of systemd the caller sits in a leaf
// of its delegated tree. v1: the caller's own cgroup in the hierarchy of each wanted controller. In
// practice only root may do that.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bawn {

enum class CgroupVersion { v1, v2 };
enum class CgroupController { memory, pids, cpu };

// As the kernel writes it: "memory".
[[nodiscard]] std::string_view to_string(CgroupController controller);

using CgroupControllers = std::vector<CgroupController>;

// One directory in which the cgroups of runs are made: the only one in v2, one for each controller
// in v1.
struct CgroupParent {
  std::string directory;
  CgroupControllers controllers;  // that its children have
  CgroupControllers to_enable;    // those of them that have to be switched on first (v2)
};

struct CgroupPlace {
  CgroupVersion version = CgroupVersion::v2;
  std::vector<CgroupParent> parents;
};

enum class CgroupFileSystem { none, v1, v2 };

// What find_cgroup_place() looks at; tests give it a tree of plain files.
struct CgroupView {
  std::string mount = "/sys/fs/cgroup";
  std::string own_cgroups = "/proc/self/cgroup";
  std::function<CgroupFileSystem(const std::string& directory)> file_system;
  std::function<int(const std::string& path)>
      write_problem;  // the errno of writing there, 0 if it is allowed

  // The running kernel's.
  [[nodiscard]] static CgroupView of_this_process();
};

// A place whose children can have every wanted controller, or why there is none: the message names
// each directory that was looked at and what it lacks. With nothing wanted, v2 is asked for a place
// that only counts. `chosen_parent` is a directory the caller insists on; in v1 it names one
// hierarchy's, and the same path is used in the others.
[[nodiscard]] Result<CgroupPlace> find_cgroup_place(
    const CgroupView& view, const CgroupControllers& wanted,
    const std::optional<std::string>& chosen_parent);

// Directories of cgroups that may limit memory, each the parent of the one before it, up to the
// mount.
struct MemoryCgroups {
  CgroupVersion version = CgroupVersion::v2;
  std::vector<std::string> directories;
};

// From the caller's own. None if it cannot be found. A directory that does not exist may be among
// them: in a container only the last one may be there.
[[nodiscard]] MemoryCgroups find_memory_cgroups(const CgroupView& view);

// From this one, which lies below the mount.
[[nodiscard]] MemoryCgroups memory_cgroups_from(const CgroupView& view, CgroupVersion version,
                                                std::string directory);

}  // namespace bawn
