// A workspace of its own for one test, and runs of the misbehaving program in it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "host/cgroup_place.h"
#include "run/bawn.h"

namespace bawn {

// The program from tests/guest.
[[nodiscard]] std::string guest();

// The tier that the tests of this program are about: b or c, by BAWN_TEST_TIER. Some tests run once
// for each.
[[nodiscard]] Tier fixture_tier();

// Preset agent with the misbehaving program on its allow list and room to run on a loaded machine.
[[nodiscard]] Policy fixture_policy();

// The same without a sandbox, and without what only a sandbox enforces: for controls.
[[nodiscard]] Policy unconfined_policy();

class RunFixture {
 public:
  RunFixture();
  ~RunFixture();
  RunFixture(const RunFixture&) = delete;
  RunFixture& operator=(const RunFixture&) = delete;

  [[nodiscard]] const std::string& workspace() const { return workspace_; }
  // A directory beside the workspace that no policy grants.
  [[nodiscard]] const std::string& outside() const { return outside_; }

  // Makes a file with some content and returns its path.
  std::string file(const std::string& directory, const std::string& name) const;

  [[nodiscard]] Outcome run(const Policy& policy,
                            std::vector<std::string> verb_and_arguments) const;
  [[nodiscard]] Outcome run(std::vector<std::string> verb_and_arguments) const;

  // The validator would refuse some words before anything runs. For tests of the kernel's
  // enforcement behind it, the program reads its words from stdin, where no validator looks.
  [[nodiscard]] Outcome run_unvalidated(const Policy& policy,
                                        const std::vector<std::string>& words) const;

 private:
  std::string root_;
  std::string workspace_;
  std::string outside_;
};

// A cgroup for the runs of one test to make theirs in, where this user may make any. Goes with its
// owner.
class CgroupFixture {
 public:
  explicit CgroupFixture(const CgroupControllers& controllers);
  ~CgroupFixture();
  CgroupFixture(const CgroupFixture&) = delete;
  CgroupFixture& operator=(const CgroupFixture&) = delete;

  [[nodiscard]] bool exists() const { return !directories_.empty(); }
  [[nodiscard]] const std::string& why_not() const { return why_not_; }
  [[nodiscard]] CgroupVersion version() const { return version_; }
  // For Limits::cgroup_parent; "" if there is none.
  [[nodiscard]] std::string parent() const { return exists() ? directories_.front() : ""; }
  // The cgroups of runs that are there now, a line each.
  [[nodiscard]] std::string runs() const;

 private:
  CgroupVersion version_ = CgroupVersion::v2;
  std::vector<std::string> directories_;  // in v1 one for each controller
  std::string why_not_;
};

// By a rlimit, from which root is exempt, or by a cgroup.
[[nodiscard]] bool can_bound_processes();

// Makes this process one that finds no cgroups, as in many containers. Only root can.
[[nodiscard]] bool hide_cgroups();

// What the program printed, without the line's end. Fails the test if it did not exit by itself.
[[nodiscard]] std::string said(const Outcome& outcome);

[[nodiscard]] LayerState layer_state(const Outcome& outcome, std::string_view layer);
[[nodiscard]] std::string layer_evidence(const Outcome& outcome, std::string_view layer);

// An argument that names the current test's processes on the whole machine.
[[nodiscard]] std::string marker();

// Whatever the run had started is dead when the caller has its answer; zombies have no arguments
// any more.
void expect_nothing_alive(const std::string& mark);

// The same if the receipt promises it. One that says that the answer was due before the last
// process had its turn is taken at its word: they go soon.
void expect_ended(const Outcome& outcome, const std::string& mark);

// For callers that did not live to get an answer: waits for the end of what carries the mark.
[[nodiscard]] bool is_gone_soon(const std::string& mark);

// Does `deed` in a child that changes its own surroundings; how it ended, as for waitpid.
int in_another_process(const std::function<int()>& deed);

// A process on this machine that has `marker` among its arguments and was really exec'd with it.
[[nodiscard]] std::optional<int> process_with_argument(const std::string& marker);

// The open descriptors of this process.
[[nodiscard]] int open_descriptors();

}  // namespace bawn
