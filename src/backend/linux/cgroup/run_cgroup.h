// A run's cgroup: limits for all processes of the command, counters of what the limits refused, and
// the open files that init needs.
//
// bawn makes the cgroup, sets the limits and reads each back, all before anything runs. Init stays
// outside. The command's first process is cloned into the cgroup (v2), or enters it before exec
// (v1, or where clone3 is refused). After the tree has ended, bawn reads the counters and removes
// the directories. cgroup_guard.h covers the case that bawn is killed before that.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "backend/linux/cgroup/counters.h"
#include "base/result.h"
#include "host/cgroup_place.h"
#include "plan/cgroup_plan.h"
#include "sys/fd.h"

namespace bawn::linux_ {

// The limits as the kernel reported them after they were set.
struct CgroupReadback {
  CgroupLimits limits;
  // With a memory limit: whether swap counts too. The kernel has no file for it if it was built or
  // booted without swap accounting.
  bool swap_bounded = false;
};

// Owns a cgroup directory; the destructor removes it. The kernel refuses that while a process lives
// in it, and the directory then remains.
class CgroupDirectory {
 public:
  CgroupDirectory(Fd parent, std::string name)
      : parent_(std::move(parent)), name_(std::move(name)) {}
  CgroupDirectory(CgroupDirectory&&) = default;
  CgroupDirectory& operator=(CgroupDirectory&&) = delete;
  ~CgroupDirectory();

  // Fails if the name exists already: a cgroup that another process made may contain anything.
  [[nodiscard]] static Result<CgroupDirectory> make(const std::string& parent, std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  // Borrowed; for CLONE_INTO_CGROUP.
  [[nodiscard]] int directory() const { return directory_.get(); }

 private:
  Fd parent_;
  std::string name_;
  Fd directory_;
};

struct CgroupCounterFile {
  CgroupCounter counter = CgroupCounter::memory_events;
  Fd file;  // read it from offset 0
};

// Owns the directories and handles of one run's cgroup.
struct RunCgroup {
  CgroupVersion version = CgroupVersion::v2;
  std::vector<CgroupDirectory> directories;  // one in v2, one for each controller in v1
  // One cgroup.procs for each directory. A process enters by writing "0", and then finds its pid in
  // the list. The kernel checks the permissions of the process that opened the file, so a process
  // without privileges can still enter. v2 needs this only where clone3 is refused.
  std::vector<Fd> entrances;
  std::vector<CgroupCounterFile> counters;
  Fd kill;  // cgroup.kill, v2 since Linux 5.14: writing "1" kills all processes inside
  CgroupReadback in_force;

  // Reads the counters. A file that cannot be read leaves its numbers absent.
  [[nodiscard]] CgroupCounts counts() const;
};

// Makes the directory `name` below every parent of the place. A failure removes the directories;
// controllers that were switched on for the parent's children stay on. The error names the file,
// the value and the reason.
[[nodiscard]] Result<RunCgroup> make_run_cgroup(const CgroupPlace& place, const std::string& name,
                                                const CgroupLimits& limits);

// A cgroup that is the parent of many runs, with one budget for all of them.
struct SharedCgroup {
  // Where runs make their cgroups; it offers the same controllers as the place above.
  CgroupPlace place;
  CgroupReadback in_force;
};

// Makes the cgroup below `above` if it does not exist, sets the limits `total`, and leaves it in
// place for other runs, also after a failure.
[[nodiscard]] Result<SharedCgroup> ensure_cgroup_parent(const CgroupPlace& above,
                                                        const std::string& name,
                                                        const CgroupLimits& total);

// Reads again the limits of memory and processes that `asked` has. Another user of the cgroup can
// have set other values. A limit that is gone or cannot be read is absent from the result.
[[nodiscard]] CgroupLimits read_shared_limits(const CgroupPlace& place, const CgroupLimits& asked);

// Says what the OOM killer ends when the memory limit is exceeded. A run is killed as a whole,
// because a tree that has lost a random process gives results that cannot be trusted. Runs that
// share a budget must not kill each other. v1 has no file for this and always kills one process.
enum class OutOfMemory { kills_all, kills_one };

// Sets the limits of one cgroup and reads each back; for the functions above and their tests.
// `directory` is borrowed. A failure may leave some of the limits set.
[[nodiscard]] Result<CgroupReadback> apply_cgroup_limits(int directory, CgroupVersion version,
                                                         const CgroupLimits& limits,
                                                         OutOfMemory overrun);

}  // namespace bawn::linux_
