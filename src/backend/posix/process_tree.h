// The processes that a run has started, as far as they can be found: its session, its process
// group, and all descendants of processes found before.
//
// Best effort, and receipts say so: a process that leaves the session and loses its parents between
// two looks is not found again. Where the system has something better (pid namespace, cgroup, Job
// Object), use that.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "backend/posix/process_table.h"

namespace bawn::posix {

class ProcessTree {
 public:
  // `root` leads its session and process group. It must not be reaped while this object is used:
  // until then the kernel does not reuse its pid, so session and group ids stay valid.
  explicit ProcessTree(pid_t root) : root_(root) {}

  // Updates the tree from a snapshot of the process table.
  void look(std::span<const ProcessFacts> table);

  // Members that were alive at the last look, including the root.
  [[nodiscard]] const std::vector<pid_t>& alive() const { return alive_; }

  // CPU time of all members ever seen, each as of its last look.
  [[nodiscard]] std::uint64_t cpu_us() const;

 private:
  struct Member {
    std::uint64_t started = 0;
    std::uint64_t cpu_us = 0;
  };

  [[nodiscard]] bool is_member(const ProcessFacts& process) const;
  [[nodiscard]] bool belongs(const ProcessFacts& process) const;

  pid_t root_;
  std::map<pid_t, Member> members_;  // present at the last look
  std::uint64_t cpu_of_gone_us_ = 0;
  std::vector<pid_t> alive_;
};

}  // namespace bawn::posix
