// A run's own cgroup: limits for everything the command starts, counters of what they refused, and
// one handle for each thing init does with it.
//
// bawn makes the cgroup, sets the limits and reads each back, all before anything runs. Init stays
// outside; the command's first process is born in it (v2) or enters it before exec (v1). When the
// tree is gone bawn reads the counters and removes the directories; cgroup_guard.h is for the case
// that it does not live to do so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/cgroup_place.h"
#include "linux/cgroup_counters.h"
#include "plan/cgroup_plan.h"
#include "sys/fd.h"

namespace bawn {

// What the kernel said when it was asked for the limits again.
struct CgroupReadback {
  CgroupLimits limits;
  // With a memory limit: whether swap counts as well. The kernel has no file for it if it was built
  // or started without accounting of swap.
  bool swap_bounded = false;
};

// A directory that goes when its owner goes. The kernel refuses that as long as something lives in
// it.
class CgroupDirectory {
 public:
  CgroupDirectory(Fd parent, std::string name)
      : parent_(std::move(parent)), name_(std::move(name)) {}
  CgroupDirectory(CgroupDirectory&&) = default;
  CgroupDirectory& operator=(CgroupDirectory&&) = delete;
  ~CgroupDirectory();

  // Fails if there is something of that name already: a cgroup somebody else made may hold
  // anything.
  [[nodiscard]] static Result<CgroupDirectory> make(const std::string& parent, std::string name);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int directory() const { return directory_.get(); }  // for CLONE_INTO_CGROUP

 private:
  Fd parent_;
  std::string name_;
  Fd directory_;
};

struct CgroupCounterFile {
  CgroupCounter counter = CgroupCounter::memory_events;
  Fd file;  // to be read from offset 0
};

struct RunCgroup {
  CgroupVersion version = CgroupVersion::v2;
  std::vector<CgroupDirectory> directories;  // one in v2, one for each controller in v1
  // One cgroup.procs for each directory; a process enters by writing "0", and finds itself in the
  // list. The kernel asks whether whoever opened the file may move it, so a process that has given
  // up its privileges still can. v2 needs it only where clone3 is refused.
  std::vector<Fd> entrances;
  std::vector<CgroupCounterFile> counters;
  Fd kill;  // v2 since Linux 5.14: writing "1" kills everything inside
  CgroupReadback in_force;

  // What was counted so far.
  [[nodiscard]] CgroupCounts counts() const;
};

// Makes NAME below every parent of the place. A failure leaves nothing behind but controllers that
// were switched on for the parent's children, and names the file, the value and the reason.
[[nodiscard]] Result<RunCgroup> make_run_cgroup(const CgroupPlace& place, const std::string& name,
                                                const CgroupLimits& limits);

// A cgroup above many runs, with one budget for all of them.
struct SharedCgroup {
  CgroupPlace place;  // runs become its children through it; it offers the controllers that the one
                      // above does
  CgroupReadback in_force;
};

// Made below `above` if it is not there yet, given `total`, and left in place.
[[nodiscard]] Result<SharedCgroup> ensure_cgroup_parent(const CgroupPlace& above,
                                                        const std::string& name,
                                                        const CgroupLimits& total);

// Of `asked`, what the files of that cgroup say now. Whoever shares it can have set something else;
// a limit that is gone, or cannot be read, is none.
[[nodiscard]] CgroupLimits read_shared_limits(const CgroupPlace& place, const CgroupLimits& asked);

// What an overrun of the memory limit kills. A run is killed whole, because a tree that has lost a
// process at random gives answers nobody can trust; runs under one budget must not take each other
// down.
enum class OutOfMemory { kills_all, kills_one };

// Sets the limits in the files of one cgroup and reads each back; for the calls above and their
// tests.
[[nodiscard]] Result<CgroupReadback> apply_cgroup_limits(int directory, CgroupVersion version,
                                                         const CgroupLimits& limits,
                                                         OutOfMemory overrun);

}  // namespace bawn
