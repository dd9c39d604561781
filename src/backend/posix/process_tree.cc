#include "backend/posix/process_tree.h"

#include <algorithm>
#include <set>

namespace bawn::posix {

bool ProcessTree::is_member(const ProcessFacts& process) const {
  const auto found = members_.find(process.pid);
  return found != members_.end() && found->second.started == process.started;
}

bool ProcessTree::belongs(const ProcessFacts& process) const {
  return process.pid == root_ || process.session == root_ || process.group == root_ ||
         is_member(process) || members_.contains(process.parent);
}

void ProcessTree::look(std::span<const ProcessFacts> table) {
  // Drops members that are not in the table any more, and pids that now belong to another process.
  std::set<pid_t> still_there;
  for (const ProcessFacts& process : table) {
    if (is_member(process)) still_there.insert(process.pid);
  }
  for (auto member = members_.begin(); member != members_.end();) {
    if (still_there.contains(member->first)) {
      ++member;
    } else {
      cpu_of_gone_us_ += member->second.cpu_us;
      member = members_.erase(member);
    }
  }
  // Repeats until no process is added: the table has no order, and a child may come before its
  // parent.
  for (std::size_t before = members_.size() + 1; before != members_.size();) {
    before = members_.size();
    for (const ProcessFacts& process : table) {
      if (belongs(process)) members_[process.pid].started = process.started;
    }
  }
  alive_.clear();
  for (const ProcessFacts& process : table) {
    if (!is_member(process)) continue;
    Member& member = members_[process.pid];
    member.cpu_us = std::max(member.cpu_us, process.cpu_us);
    if (!process.ended) alive_.push_back(process.pid);
  }
}

std::uint64_t ProcessTree::cpu_us() const {
  std::uint64_t sum = cpu_of_gone_us_;
  for (const auto& [pid, member] : members_) sum += member.cpu_us;
  return sum;
}

}  // namespace bawn::posix
