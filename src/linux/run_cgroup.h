// A run's own cgroup: limits for everything the command starts, counters of what they refused, and one handle for each
// thing the keeper does with it.
//
// bawn makes the cgroup, sets the limits and reads each back, all before anything runs. The keeper stays outside; the
// command's first process is born in it (v2) or enters it before exec (v1). When the tree is gone the keeper reads the
// counters and removes the directories by name, also when bawn is no longer there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "host/cgroup_place.h"
#include "linux/cgroup_counters.h"
#include "sys/fd.h"

namespace bawn {

// At most `quota_us` microseconds of processor time in each `period_us`, over all processors together.
struct CpuRate {
  std::uint64_t quota_us = 0;
  std::uint64_t period_us = 100'000;
};

// For all processes of a cgroup together. What is absent is not limited.
struct CgroupLimits {
  std::optional<std::uint64_t> memory_bytes;  // resident and cached; swap is refused beside it
  std::optional<std::uint64_t> processes;     // tasks: threads count
  std::optional<CpuRate> cpu_rate;
};

// The controllers that these limits need: what to ask find_cgroup_place() for.
[[nodiscard]] CgroupControllers controllers_for(const CgroupLimits& limits);

// What the kernel said when it was asked for the limits again.
struct CgroupReadback {
  CgroupLimits limits;
  // With a memory limit: whether swap counts as well. The kernel has no file for it if it was built or started without
  // accounting of swap.
  bool swap_bounded = false;
};

// A directory that goes when its owner goes, unless the keeper has taken that over.
class CgroupDirectory {
 public:
  CgroupDirectory(Fd parent, std::string name) : parent_(std::move(parent)), name_(std::move(name)) {}
  CgroupDirectory(CgroupDirectory&&) = default;
  CgroupDirectory& operator=(CgroupDirectory&&) = delete;
  ~CgroupDirectory();

  // Fails if there is something of that name already: a cgroup somebody else made may hold anything.
  [[nodiscard]] static Result<CgroupDirectory> make(const std::string& parent, std::string name);

  [[nodiscard]] int parent() const { return parent_.get(); }  // for unlinkat(parent, name, AT_REMOVEDIR)
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] int directory() const { return directory_.get(); }  // for CLONE_INTO_CGROUP

  // Once the keeper has its own copy of parent(): from now on it removes the directory. The kernel answers EBUSY until the last process has been reaped.
  void leave_to_keeper() { parent_.reset(); }

 private:
  Fd parent_;  // none once the keeper removes it
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
  // One cgroup.procs for each directory; a process enters by writing "0". The kernel asks whether whoever opened the file
  // may move it, so a process that has given up its privileges still can. v2 needs it only where clone3 is refused.
  std::vector<Fd> entrances;
  std::vector<CgroupCounterFile> counters;
  Fd kill;  // v2 since Linux 5.14: writing "1" kills everything inside
  CgroupReadback in_force;

  void leave_to_keeper();
};

// Makes NAME below every parent of the place. A failure leaves nothing behind but controllers that were switched on for
// the parent's children, and names the file, the value and the reason.
[[nodiscard]] Result<RunCgroup> make_run_cgroup(const CgroupPlace& place, const std::string& name,
                                                const CgroupLimits& limits);

// A cgroup above many runs, with one budget for all of them: made below `above` if it is not there yet, given `total`,
// and left in place. Runs become its children through the place that is returned, which offers the controllers that
// `above` does.
[[nodiscard]] Result<CgroupPlace> ensure_cgroup_parent(const CgroupPlace& above, const std::string& name,
                                                       const CgroupLimits& total);

// What an overrun of the memory limit kills. A run is killed whole, because a tree that has lost a process at random
// gives answers nobody can trust; runs under one budget must not take each other down.
enum class OutOfMemory { kills_all, kills_one };

// Sets the limits in the files of one cgroup and reads each back; for the calls above and their tests.
[[nodiscard]] Result<CgroupReadback> apply_cgroup_limits(int directory, CgroupVersion version,
                                                         const CgroupLimits& limits, OutOfMemory overrun);

}  // namespace bawn
