// Insurance for cgroups: a process that removes them when this one is gone (init/cgroup_reaper.h).
//
// Like init it is this process's child and works in any program and thread. It does nothing while
// bawn lives; a run that ends in order removes its cgroups itself, and the cgroup reaper finds
// nothing left to do.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn {

class CgroupReaper {
 public:
  // Before the first of the directories is made.
  [[nodiscard]] static Result<CgroupReaper> start(const std::vector<std::string>& directories);

  CgroupReaper(CgroupReaper&&) = default;
  CgroupReaper& operator=(CgroupReaper&&) = delete;
  CgroupReaper(const CgroupReaper&) = delete;
  CgroupReaper& operator=(const CgroupReaper&) = delete;
  // Ends it if all directories are gone. What cannot be removed yet is left to it: it stays for
  // that.
  ~CgroupReaper();

 private:
  CgroupReaper(std::vector<std::string> directories, Fd pipe, Fd process)
      : directories_(std::move(directories)),
        pipe_(std::move(pipe)),
        process_(std::move(process)) {}

  [[nodiscard]] bool is_needed() const;

  std::vector<std::string> directories_;
  Fd pipe_;     // its end is the cgroup reaper's sign
  Fd process_;  // pidfd
};

}  // namespace bawn
