// Looks at the files that other programs obey before and after a run. On Linux and macOS.
//
// Nothing in the workspace can make it fail or wait: a file that cannot be looked at is told as
// such. It holds a descriptor for each root, so that a root that was moved is still the same one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "handoff/snapshot.h"
#include "outcome/outcome.h"
#include "plan/handoff_plan.h"
#include "sys/fd.h"

namespace bawn::handoff {

class Watch {
 public:
  // Call it before the command can write.
  [[nodiscard]] static Watch begin(HandoffPlan plan);

  // Call it once, when no process of the run is alive.
  [[nodiscard]] std::vector<Handoff> finish();

 private:
  explicit Watch(HandoffPlan plan) : plan_(std::move(plan)) {}
  [[nodiscard]] Snapshot look(const Snapshot* before) const;
  [[nodiscard]] std::vector<std::string> git_below(std::size_t root) const;
  [[nodiscard]] std::vector<HandoffPlan::GitDirectory> hooks_in(const Snapshot& found) const;
  [[nodiscard]] bool lies_in_another(std::size_t root) const;

  HandoffPlan plan_;
  std::vector<Fd> roots_;      // as plan_.roots; empty for one that is no directory
  std::int64_t since_ns_ = 0;  // when begin() looked
  // Directories that core.hooksPath named before the run.
  std::vector<HandoffPlan::GitDirectory> hooks_;
  Snapshot before_;
};

}  // namespace bawn::handoff
