// A child process that removes cgroups if bawn dies before it can (init/cgroup_reaper.h).
//
// Like init it is a child of this process, and can be started from any program and any thread. It
// does nothing while bawn lives. A run that ends normally removes its cgroups itself and then kills
// the reaper. The reaper leads a session of its own, so that signals to the terminal's or the
// caller's process group do not end it.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "sys/fd.h"

namespace bawn::linux_ {

class CgroupReaper {
 public:
  // Call it before the first of the directories is made. Returns after the exec; if that failed,
  // the child has been reaped.
  [[nodiscard]] static Result<CgroupReaper> start(const std::vector<std::string>& directories);

  CgroupReaper(CgroupReaper&&) = default;
  CgroupReaper& operator=(CgroupReaper&&) = delete;
  CgroupReaper(const CgroupReaper&) = delete;
  CgroupReaper& operator=(const CgroupReaper&) = delete;
  // Kills and reaps the process if all directories are gone. Otherwise wakes it and waits at most
  // 50 ms; it then goes on without bawn until the directories are removed.
  ~CgroupReaper();

 private:
  CgroupReaper(std::vector<std::string> directories, Fd pipe, Fd process)
      : directories_(std::move(directories)),
        pipe_(std::move(pipe)),
        process_(std::move(process)) {}

  [[nodiscard]] bool is_needed() const;

  std::vector<std::string> directories_;
  Fd pipe_;     // write end; a byte, or its end, starts the reaper's work
  Fd process_;  // pidfd
};

}  // namespace bawn::linux_
