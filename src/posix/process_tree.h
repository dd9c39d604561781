// Everything a run has started, as far as it can be found: its session, its process group, and
// whoever descends from one that was found before.
//
// Best effort, and said so in receipts: what leaves its session and loses its parents between two
// looks is not found again.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "posix/process_table.h"

namespace bawn::posix {

class ProcessTree {
 public:
  // `root` leads its session and process group and is not waited for before the tree is forgotten:
  // so its number, and with it theirs, cannot come to mean somebody else.
  explicit ProcessTree(pid_t root) : root_(root) {}

  // Takes in a snapshot of the process table.
  void look(std::span<const ProcessFacts> table);

  // Those of the last look that have not ended, the root among them.
  [[nodiscard]] const std::vector<pid_t>& alive() const { return alive_; }

  // What all that were ever seen have used when they were seen last.
  [[nodiscard]] std::uint64_t cpu_us() const;

 private:
  struct Member {
    std::uint64_t started = 0;
    std::uint64_t cpu_us = 0;
  };

  [[nodiscard]] bool is_member(const ProcessFacts& process) const;
  [[nodiscard]] bool belongs(const ProcessFacts& process) const;

  pid_t root_;
  std::map<pid_t, Member> members_;  // alive when they were seen last
  std::uint64_t cpu_of_gone_us_ = 0;
  std::vector<pid_t> alive_;
};

}  // namespace bawn::posix
